-- All lessons and their annexes as one document, for pandoc -f book.lua: links lead to places
-- in it, and answers stand in an appendix. Run from the project's root.
package.path = pandoc.path.directory(PANDOC_SCRIPT_FILE) .. "/?.lua;" .. package.path
local lesson = require("lesson")
local stringify = pandoc.utils.stringify

-- "chapters/01-x/README.md" -> "01-x", "chapters/01-x/y.md" -> "01-x-y"
local function id_of(page)
    local chapter, name = page:match("^chapters/([^/]+)/(.*)%.md$")
    if not chapter then return "preface" end
    return name == "README" and chapter or chapter .. "-" .. name
end

-- The place of a link's target in the book; nil for a file that is not in it.
local function place(target, page, pages)
    local path, anchor = target:match("^([^#]*)#?(.*)$")
    local file = path == "" and page or lesson.resolve(page, path):gsub("/$", "")
    if not pages:includes(file) then return end
    return "#" .. id_of(file) .. (anchor ~= "" and "--" .. anchor or "")
end

local function by_hand_or_answers(box)
    local summary = box.attributes.summary or ""
    return summary:match("[Aa]nswer") or summary:match("[Bb]y hand")
end

-- Moves a page's answers to `answers`, and leaves a link to them.
local function take_answers(blocks, id, answers)
    local count, section = 0, ""
    return pandoc.Blocks(blocks:map(function(block)
        if block.t == "Header" then section = stringify(block) end
        if block.t ~= "Div" or block.classes[1] ~= "details" or not by_hand_or_answers(block) then
            return block
        end
        count = count + 1
        local summary, anchor = block.attributes.summary, "answers-" .. id .. "-" .. count
        local words = pandoc.Inlines(summary .. (section ~= "" and " · " .. section or ""))
        answers:insert(pandoc.Div({pandoc.Para(pandoc.Strong(words))}, {id = anchor}))
        answers:extend(block.content)
        local link = pandoc.Link(summary, "#" .. anchor)
        return pandoc.Div({pandoc.Para(link)}, {class = "to-answers"})
    end))
end

-- What the marks of lesson.lua say in print: the file of a snippet, the title of an aside.
local function spell_out(box)
    local file = box.classes[1] == "code" and box.attributes.source:gsub("#.*", "")
    if file then
        box.content:insert(pandoc.Div({pandoc.Para(pandoc.Code(file))}, {class = "where"}))
    end
    local title = box.classes[1] == "details" and box.attributes.summary
    if title then box.content:insert(1, pandoc.Para(pandoc.Strong(title))) end
    box.attributes = {}
    return box
end

-- A page as a part of the book: lessons are level 1, annexes level 2, their sections level 3.
local function part(page, pages, answers)
    local id, title = id_of(page), nil
    local is_annex = page:match("^chapters/") and not page:match("/README%.md$")
    local found = pandoc.Blocks({})
    local blocks = take_answers(lesson.read(page), id, found):walk({
        Header = function(header)
            title = title or header.content
            header.identifier = header.level == 1 and id or id .. "--" .. header.identifier
            header.level = header.level > 1 and header.level + 1 or is_annex and 2 or 1
            return header
        end,
    })
    local inside = {
        Div = spell_out,
        Link = function(link)
            if link.target:match("^%l+:") or link.target:match("^#answers%-") then return end
            link.target = place(link.target, page, pages) or ""
            return link.target ~= "" and link or link.content
        end,
    }
    if #found > 0 then
        answers:insert(pandoc.Header(3, title, {id = "answers-" .. id}))
        answers:extend(found:walk(inside))
    end
    return blocks:walk(inside)
end

function Reader()
    local pages = pandoc.List({"README.md"})
    local chapters = pandoc.system.list_directory("chapters")
    table.sort(chapters)
    for _, chapter in ipairs(chapters) do
        if chapter:match("^%d%d%-") then pages:extend(lesson.pages_of(chapter)) end
    end
    local blocks, answers = pandoc.Blocks({}), pandoc.Blocks({})
    for _, page in ipairs(pages) do
        blocks:extend(part(page, pages, answers))
    end
    blocks[1] = pandoc.Header(1, "Before you begin", {id = "preface"})
    blocks:insert(pandoc.Header(1, "Answers", {id = "answers"}))
    blocks:extend(answers)
    return pandoc.Pandoc(blocks)
end
