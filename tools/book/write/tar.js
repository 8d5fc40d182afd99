// node tar.js DIRECTORY: its files as an archive on standard output, as the package's own reader takes it: each folder before what is
// in it, its name without a slash behind it, which no tar writes; and the same bytes from the same files.
"use strict";
const fs = require("fs"),
    path = require("path");
const { tarOf } = require("./archive.js");

const root = process.argv[2];
const contentsOf = (file) => (fs.statSync(file).isDirectory() ? null : fs.readFileSync(file));
const names = fs.readdirSync(root, { recursive: true }).sort();
const files = names.map((name) => [name, contentsOf(path.join(root, name))]);
process.stdout.write(Buffer.concat(tarOf(files, 0)));
