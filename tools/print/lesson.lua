-- A lesson's Markdown as blocks that print and slides share: comments are gone, and what they or
-- <details> mark is a Div of class code, output, predict, exercise or details. Paths of figures are
-- from the project's root. No word is added or changed here.
local lesson = {}
local stringify = pandoc.utils.stringify

-- A file's blocks as they are written; lesson.read has those of a lesson.
function lesson.parse(file)
    return pandoc.read(pandoc.system.read_file(file), "gfm+tex_math_dollars").blocks
end

-- "chapters/01-x/README.md", "../../plots/a.svg" -> "plots/a.svg"
function lesson.resolve(from, target)
    local path = pandoc.path.directory(from) .. "/" .. target
    local before
    repeat
        before = path
        path = path:gsub("^%./", ""):gsub("[^/]+/%.%./", "", 1)
    until path == before
    return path
end

-- The files of a chapter: its lesson, then its annexes.
function lesson.pages_of(chapter)
    local pages = pandoc.List()
    for _, name in ipairs(pandoc.system.list_directory("chapters/" .. chapter)) do
        if name:match("%.md$") and name ~= "README.md" then pages:insert(name) end
    end
    pages:sort()
    pages:insert(1, "README.md")
    return pages:map(function(name) return "chapters/" .. chapter .. "/" .. name end)
end

-- "<!-- kind: text -->" -> kind, text
local function comment(block)
    if block.t ~= "RawBlock" then return end
    return block.text:match("^<!%-%- (%l+):?%s(.*)%-%->%s*$")
end

local function only(block, kind)
    return block and block.t == "Para" and #block.content == 1 and block.content[1].t == kind
        and block.content[1]
end

local function div(class, blocks, attributes)
    return pandoc.Div(blocks, pandoc.Attr("", {class}, attributes or {}))
end

-- "LABEL: A | *B", "LABEL: LOW to HIGH = SOURCE" -> label, choices, the right one or the source
function lesson.question(text)
    local label, range, source = text:match("^(.-): ([^:=]-) = (plots/.-)%s*$")
    if source then return label, nil, source, (range:gsub(" log$", "")) end
    local choices, right = pandoc.List(), nil
    local asked, list = text:match("^(.*): (.-)%s*$")
    for choice in (list .. " | "):gmatch("(.-) | ") do
        if choice:sub(1, 1) == "*" then right = choice:sub(2) end
        choices:insert((choice:gsub("^%*", "")))
    end
    return asked, choices, right
end

-- What a reader is asked: choices, or a range.
local function asked(text)
    local label, choices, _, range = lesson.question(text)
    if range then return pandoc.Para(label .. " (" .. range .. "): …") end
    return pandoc.Para(label .. ": ○ " .. table.concat(choices, "  ○ "))
end

-- The exercise that a paragraph states: its first word is the name of a solution.
local function exercise_of(block, chapter)
    local strong = block.t == "Para" and block.content[1]
    local name = strong and strong.t == "Strong" and strong.content[1].t == "Code"
        and strong.content[1].text
    return name and pandoc.path.exists("solutions/" .. chapter .. "/" .. name .. ".c") and name
end

local function figure(image, caption)
    return pandoc.Figure({pandoc.Plain(pandoc.Image(image.caption, image.src))},
        {long = caption and {pandoc.Plain(caption.content)} or {}})
end

-- Collects the blocks between <details> and </details>.
local function fold_details(blocks)
    local out, inside = pandoc.Blocks({}), nil
    for _, block in ipairs(blocks) do
        local html = block.t == "RawBlock" and block.text or ""
        if html:match("^%s*<details>") then
            inside = div("details", {}, {summary = html:match("<summary>(.-)</summary>")})
        elseif html:match("^%s*<summary>") then
            inside.attributes.summary = html:match("<summary>(.-)</summary>")
        elseif html:match("^%s*</details>") then
            out:insert(inside)
            inside = nil
        else
            (inside and inside.content or out):insert(block)
        end
    end
    return out
end

-- Takes the questions below a **Predict** out of their comments, from blocks[i + 1] on.
local function prediction(block, blocks, i)
    local box = div("predict", {block})
    while true do
        local kind, text = comment(blocks[i + 1] or block)
        if not kind then return box, i end
        if kind == "predict" then
            box.content:insert(asked(text))
            box.attributes["question" .. #box.content - 1] = text
        end
        i = i + 1
    end
end

-- A paragraph's part before **Predict**, and that from there on; nil where it has none.
local function at_prediction(block)
    for i, e in ipairs(block.t == "Para" and block.content or {}) do
        if e.t == "Strong" and stringify(e):match("^Predict") then
            return pandoc.Para({table.unpack(block.content, 1, i - 1)}),
                pandoc.Para({table.unpack(block.content, i)})
        end
    end
end

local function named_blocks(blocks, page)
    local out, i = pandoc.List(), 0
    local chapter = page:match("^chapters/([^/]+)/")
    while i < #blocks do
        i = i + 1
        local block, following = blocks[i], blocks[i + 1]
        local kind, text = comment(block)
        local image, name = only(block, "Image"), chapter and exercise_of(block, chapter)
        local before, from = at_prediction(block)
        if kind == "code" or kind == "output" then
            out:insert(div(kind, {following}, {source = text:gsub("%s+$", "")}))
            i = i + 1
        elseif image then
            local caption = following and only(following, "Emph")
            out:insert(figure(image, caption))
            if caption then i = i + 1 end
        elseif name then
            out:insert(div("exercise", {block}, {exercise = name}))
        elseif from then
            if #before.content > 0 then out:insert(before) end
            local box
            box, i = prediction(from, blocks, i)
            out:insert(box)
        elseif block.t ~= "RawBlock" or not block.text:match("^<!%-%-") then
            out:insert(block)
        end
    end
    return out
end

-- The blocks of a page, chapters/NN-name/README.md or another.
function lesson.read(page)
    return fold_details(named_blocks(lesson.parse(page), page)):walk({
        RawInline = function() return {} end,
        Image = function(image)
            image.src = lesson.resolve(page, image.src)
            return image
        end,
    })
end

-- The inlines of a paragraph, cut behind each sentence.
function lesson.sentences(inlines)
    local list, current = pandoc.List(), pandoc.List()
    for i, e in ipairs(inlines) do
        local blank = e.t == "Space" or e.t == "SoftBreak"
        if #current > 0 or not blank then current:insert(e) end
        local after = inlines[i + 1]
        local ends = stringify(e):match("[.?!][)”\"*]*$") and e.t ~= "Math" and e.t ~= "Code"
            and not stringify(e):match("^e%.g%.$") and not stringify(e):match("^al%.$")
        if ends and after and (after.t == "Space" or after.t == "SoftBreak") then
            list:insert(current)
            current = pandoc.List()
        end
    end
    if #current > 0 then list:insert(current) end
    return list
end

return lesson
