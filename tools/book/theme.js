// Before the page is drawn: the theme that the reader chose, if any; else the system's (page.css).
"use strict";
try {
    const chosen = localStorage.getItem("theme");
    if (chosen) document.documentElement.dataset.theme = chosen;
} catch (error) {
    // Without storage the system's theme it is.
}
