/* --- how long a program takes: as measured (tools/book/seconds.txt), times how much longer this machine has taken so far --- */

const speedKey = "run/slower";
function slower() {
    try {
        return Number(localStorage.getItem(speedKey)) || 1;
    } catch (error) {
        return 1;
    }
}
function learnSpeed(expected, seconds) {
    if (!(expected > 0.5)) return; // what is shorter says more of the start than of the machine
    try {
        localStorage.setItem(speedKey, String(0.5 * slower() + 0.5 * (seconds / expected)));
    } catch (error) {
        // Without storage every machine is the one that measured.
    }
}

const clockText = (seconds) =>
    seconds < 100 ? `${seconds.toFixed(seconds < 10 ? 1 : 0)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
function aboutText(seconds) {
    const here = seconds * slower();
    if (here < 1) return "under a second";
    if (here < 10) return `about ${Math.round(here)} s`;
    if (here < 90) return `about ${5 * Math.round(here / 5)} s`;
    return `about ${Math.round(here / 60)} min`;
}
