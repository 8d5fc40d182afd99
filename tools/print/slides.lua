-- A lesson as slides, for pandoc -f slides.lua chapters/NN-name/README.md: what has a structure
-- (the question, figures, formulas, predictions, exercises, outputs, recap) is shown, the text
-- beside it goes to the speaker's notes. Nothing here is written for one lesson.
package.path = pandoc.path.directory(PANDOC_SCRIPT_FILE) .. "/?.lua;" .. package.path
local lesson = require("lesson")
local stringify = pandoc.utils.stringify

local MOST = 25
-- Of each kind: minutes in class, and what goes first where there are too many slides.
local KINDS = {
    title = {1, 9}, question = {2, 9}, run = {4, 9}, key = {2, 9}, recap = {2, 9},
    questions = {5, 9}, predict = {2, 8}, exercise = {4, 8}, figure = {3, 7}, problems = {1, 6},
    formula = {3, 5}, output = {2, 4}, table = {2, 3}, code = {3, 2},
}

local function words(inlines)
    return select(2, stringify(inlines):gsub("%S+", ""))
end

-- The first sentences of a paragraph, up to `most` words.
local function beginning(inlines, most)
    local out = pandoc.Inlines({})
    for _, sentence in ipairs(lesson.sentences(inlines)) do
        if #out > 0 and words(out) + words(sentence) > most then break end
        if #out > 0 then out:insert(pandoc.Space()) end
        out:extend(sentence)
    end
    return words(out) <= most and out or pandoc.Inlines({})
end

-- --- blocks that fit a screen of 1280 by 720 ---
-- The height of lines of a size; longer ones than the screen is wide wrap.
local function height(lines, size)
    local sum = 0
    for _, line in ipairs(lines) do
        sum = sum + math.max(1, math.ceil((utf8.len(line) or #line) * 0.61 * size / 1150))
    end
    return sum * 1.35 * size
end

-- Code as large as it fits, with 18 pixels or more; what is still too long ends with "…". Columns
-- may wrap only where a model wrote the text.
local function fitted(code)
    local lines, columns, size = pandoc.List(), 0, 26
    for line in (code.text .. "\n"):gmatch("(.-)\n") do
        lines:insert(line)
        columns = math.max(columns, utf8.len(line) or #line)
    end
    local wide = columns > 104 and 0 or columns * 0.61
    while size > 18 and (wide * size > 1150 or height(lines, size) > 400) do size = size - 1 end
    if height(lines, size) > 400 then lines:insert("…") end
    while height(lines, size) > 400 do lines:remove(#lines - 1) end
    local shown = pandoc.CodeBlock(table.concat(lines, "\n"), code.attr)
    return pandoc.Div({shown}, {style = "font-size: " .. size .. "px"})
end

-- The lines of a table, if its columns share the width.
local function lines_of_table(table)
    local lines, share = 0, 75 / #table.colspecs
    for _, row in ipairs(table.bodies[1].body) do
        local highest = 1
        for _, cell in ipairs(row.cells) do
            highest = math.max(highest, math.ceil(#stringify(cell.contents) / share))
        end
        lines = lines + highest
    end
    return lines
end

local function measured(source)
    return (pandoc.pipe("awk", {"-f", "tools/docs/values.awk", "-f", "tools/book/value.awk"},
                        source):gsub("%s+$", ""))
end

-- "LABEL: the right answer", of each question in a box.
local function answers_of(box)
    local out = pandoc.List()
    while box.attributes["question" .. #out + 1] do
        local label, choices, right = lesson.question(box.attributes["question" .. #out + 1])
        out:insert(label .. ": " .. (choices and right or measured(right)))
    end
    return table.concat(out, " · ")
end

-- A long formula stands in several lines, cut where it has wide spaces, or is small.
local function in_lines(formula)
    local lines, text, space = pandoc.Blocks({}), formula.text, "\\qquad"
    local whole = #text < 60 or text:match("\\begin")
    for piece in (text .. space):gmatch(whole and "(.*)" .. space or "(.-)" .. space) do
        if piece:match("%S") then
            local size = math.max(22, math.min(36, 36 * 105 // #piece))
            lines:insert(pandoc.Div(pandoc.Para(pandoc.Math("DisplayMath", piece)),
                                    {style = "font-size: " .. size .. "px"}))
        end
    end
    return lines
end

-- "1. ... 2. ..." as a list.
local function numbered(inlines)
    local items = pandoc.List()
    for _, e in ipairs(inlines) do
        if e.t == "Str" and e.text:match("^%d%.$") then items:insert(pandoc.Inlines({}))
        elseif #items > 0 then items[#items]:insert(e) end
    end
    if #items == 0 then return {} end
    return {pandoc.OrderedList(items:map(function(item) return {pandoc.Plain(item)} end))}
end

-- --- the deck ---
local Deck = {}
Deck.__index = Deck

function Deck:add(kind, body, title)
    local slide = {kind = kind, title = title or self.section, body = pandoc.Blocks(body),
                   notes = self.prose}
    self.prose, self.last = pandoc.Blocks({}), nil
    self.slides:insert(slide)
    return slide
end

-- What stands behind a slide in its section is said with it; else it waits for the next one.
function Deck:say(block)
    local last = self.slides[#self.slides]
    local notes = last and last.title == self.section and last.notes or self.prose
    notes:insert(block)
end

-- The sentence that leads to a formula or an output, where it is short.
function Deck:lead()
    local sentences = self.last and lesson.sentences(self.last.content)
    local lead = sentences and sentences[#sentences]
    local leads = lead and words(lead) < 29 and not stringify(lead):match("[Cc]hapters? %d")
    return pandoc.Blocks(leads and {pandoc.Para(lead)} or {})
end

function Deck:with_lead(kind, ...)
    return self:add(kind, self:lead() .. pandoc.Blocks({...}))
end

-- The figure, table or output behind a prediction shows what was right.
function Deck:reveal(slide)
    if not self.asked then return end
    local right = answers_of(self.asked)
    if right ~= "" then slide.body:insert(pandoc.Div(pandoc.Para(right), {class = "right"})) end
    self.asked = nil
end

local see = {}

function see.Figure(deck, figure)
    local caption = beginning(pandoc.utils.blocks_to_inlines(figure.caption.long), 24)
    local slide = deck:add("figure", {pandoc.Para(figure.content[1].content)})
    if #caption > 0 and not deck.asked then
        slide.body:insert(pandoc.Div(pandoc.Para(caption), {class = "caption"}))
    end
    slide.notes:extend(figure.caption.long)
    deck:reveal(slide)
end

function see.predict(deck, box)
    local body, few = pandoc.Blocks({box.content[1]}), #box.content < 4
    for i = 2, #box.content do
        local label, choices, _, range = lesson.question(box.attributes["question" .. i - 1])
        local question = pandoc.Inlines({pandoc.Strong(label .. ":"), pandoc.Space()})
        if range then question:insert(range)
        elseif not few then question:insert("○ " .. table.concat(choices, "  ○ ")) end
        body:insert(pandoc.Para(question))
        if choices and few then
            body:insert(pandoc.BulletList(choices:map(function(c) return pandoc.Plain(c) end)))
        end
    end
    deck:add("predict", body).notes:insert(pandoc.Para(answers_of(box)))
    deck.asked = box
end

function see.exercise(deck, box)
    local name, number = box.attributes.exercise, deck.chapter:sub(1, 2)
    local statement = beginning(box.content[1].content, 60)
    local command = ("make check-%s EX=%s"):format(number, name)
    local slide = deck:add("exercise", {pandoc.Para(statement), fitted(pandoc.CodeBlock(command))},
                           pandoc.Inlines({"Your turn: ", pandoc.Code(name)}))
    slide.notes:insert(box.content[1])
    slide.room = 10
    deck.exercise = slide
end

-- The snippets of headers behind a statement are its contract, shown as far as there is room.
local function is_contract(deck, box)
    if not deck.exercise or not box.attributes.source:match("%.h#") then return false end
    local room = deck.exercise.room - select(2, box.content[1].text:gsub("\n", "\n")) - 2
    if room < 0 then return true end
    deck.exercise.room = room
    deck.exercise.body:insert(#deck.exercise.body, fitted(box.content[1]))
    return true
end

function see.Table(deck, table)
    local is_files = stringify(table.head):match("^file")
    if is_files or lines_of_table(table) > 12 or #table.colspecs > 7 then return end
    deck:reveal(deck:with_lead("table", table))
end

function see.code(deck, box)
    if is_contract(deck, box) then return end
    deck:with_lead("code", fitted(box.content[1]))
end

function see.output(deck, box)
    deck:reveal(deck:with_lead("output", fitted(box.content[1])))
end

function see.Header(deck, header)
    deck.section, deck.exercise, deck.asked = header.content, nil, nil
end

-- A sentence in bold is what to keep.
local function kept_sentence(paragraph)
    for _, e in ipairs(paragraph.content) do
        if e.t == "Strong" and words(e.content) > 6 then return e.content end
    end
end

local function named(paragraph)
    local first = paragraph.content[1]
    return first and first.t == "Strong" and stringify(first) or ""
end

function see.Para(deck, paragraph)
    local kept, first = kept_sentence(paragraph), paragraph.content[1]
    if #paragraph.content == 1 and first.t == "Math" then
        deck:with_lead("formula", table.unpack(in_lines(first)))
    elseif named(paragraph):match("^Questions") then
        deck:add("questions", numbered(paragraph.content), "Questions")
    elseif named(paragraph):match("^Open problems") then
        deck:add("problems", {}, "Open problems")
    elseif deck.slides[#deck.slides].kind == "problems" then
        if first.t == "Strong" then
            deck.slides[#deck.slides].body:insert(pandoc.Para(beginning(paragraph.content, 45)))
        end
    else
        deck:say(paragraph)
        deck.last = paragraph
        if kept then deck:add("key", {pandoc.Para(kept)}) end
    end
end

function see.list(deck, list)
    local last = deck.slides[#deck.slides]
    if last.kind == "questions" and #last.body == 0 then last.body:insert(list)
    elseif stringify(deck.section):match("^Recap") then deck:add("recap", {list})
    else deck:say(list) end
end
see.BulletList, see.OrderedList = see.list, see.list

-- The lesson's question: the last sentence with "?" before its second section, or the first behind.
local function question_of(blocks)
    local found, headings = nil, 0
    for _, block in ipairs(blocks) do
        if block.t == "Header" then headings = headings + 1 end
        if headings > 2 and found then break end
        for _, sentence in ipairs(block.t == "Para" and lesson.sentences(block.content) or {}) do
            local asks = stringify(sentence):match("%?$") and words(sentence) > 5
            if asks then found = sentence end
        end
    end
    return found
end

-- The run of a chapter's week in TEACHING.md; of a week of several lessons, that which it names.
local function run_together(chapter)
    local run
    local function in_row(row)
        local lessons, here, together = 0, false, row.cells[4] and row.cells[4].contents
        row.cells[2].contents:walk({
            Link = function(link)
                lessons = lessons + 1
                here = here or link.target:find(chapter, 1, true)
            end,
        })
        if not here or not together then return end
        local named = stringify(together):find("-" .. chapter:sub(1, 2), 1, true)
        if lessons == 1 or named then run = run or together end
    end
    lesson.parse("TEACHING.md"):walk({
        Table = function(weeks) weeks.bodies[1].body:map(in_row) end,
    })
    return run and pandoc.Blocks({pandoc.Para(pandoc.utils.blocks_to_inlines(run))})
end

-- Leaves out what counts least, the later ones first.
local function shorten(slides)
    while #slides > MOST do
        local least = 1
        for i, slide in ipairs(slides) do
            if KINDS[slide.kind][2] <= KINDS[slides[least].kind][2] then least = i end
        end
        slides:remove(least)
    end
end

-- Much text is set smaller; a paragraph and an item of a list begin a line. The rest has its size.
local HAS_SIZE = {title = true, figure = true, formula = true, table = true, code = true}
local function sized(slide)
    local much = words(slide.body) + 8 * #slide.body
    slide.body:walk({BulletList = function(list) much = much + 10 * #list.content end})
    local limit = slide.kind == "recap" and 130 or 85
    if HAS_SIZE[slide.kind] or much < limit then return slide.body end
    return {pandoc.Div(slide.body, {style = "font-size: " .. (much < 140 and 28 or 24) .. "px"})}
end

local function blocks_of(slides)
    local out, minute = pandoc.Blocks({}), 0
    for i, slide in ipairs(slides) do
        local minutes = KINDS[slide.kind][1]
        local clock = ("%d:%02d, %d min"):format(minute // 60, minute % 60, minutes)
        minute = minute + minutes
        out:insert(pandoc.Header(2, slide.title, {id = "slide-" .. i, class = slide.kind}))
        out:extend(sized(slide))
        out:insert(pandoc.Div(pandoc.Blocks({pandoc.Para(pandoc.Strong(clock))}) .. slide.notes,
                              {class = "notes"}))
    end
    return out
end

local function is_end(block)
    return block.t == "Header" and stringify(block):match("^Papers")
end

function Reader(sources)
    local page = sources[1].name
    local blocks = lesson.read(page)
    local chapter = page:match("^chapters/([^/]+)/")
    local deck = setmetatable({slides = pandoc.List(), prose = pandoc.Blocks({}),
                               chapter = chapter, section = blocks[1].content}, Deck)
    deck:add("title", {pandoc.Para(beginning(blocks[2].content, 45))}, blocks[1].content)
    for i, block in ipairs(blocks) do
        if is_end(block) then break end
        local handle = see[block.t == "Div" and block.classes[1] or block.t]
        if handle and i > 1 then handle(deck, block) end
    end
    local question, run = question_of(blocks), run_together(chapter)
    if question then
        deck.slides:insert(2, {kind = "question", title = "The question", notes = pandoc.Blocks({}),
                               body = pandoc.Blocks({pandoc.Para(question)})})
    end
    if run then
        deck.slides:insert(3, {kind = "run", title = "Run it together", body = run,
                               notes = pandoc.Blocks({pandoc.Para("The run that surprises.")})})
    end
    shorten(deck.slides)
    local shown = blocks_of(deck.slides):walk({
        Link = function(link) return link.target:match("^%l+:") and link or link.content end,
    })
    return pandoc.Pandoc(shown, {pagetitle = stringify(blocks[1])})
end
