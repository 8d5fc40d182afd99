-- What a Div of the book is in typst: a call of the function of its class (book.typ).
local calls = {code = "snippet", where = "where", details = "aside", predict = "framed",
               exercise = "exercise", ["to-answers"] = "aside"}

function Div(box)
    local call = calls[box.classes[1]]
    if not call then return end
    return {pandoc.RawBlock("typst", "#" .. call .. "["), pandoc.Div(box.content),
            pandoc.RawBlock("typst", "]")}
end

-- Paths begin at the project's root; what a figure shows is said to those who do not see it.
function Image(image)
    local says = pandoc.utils.stringify(image.caption)
    return pandoc.RawInline("typst", ("#image(%q, alt: %q)"):format("/" .. image.src, says))
end
