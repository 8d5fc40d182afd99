# Sourced by scripts that tell how long something took: seconds_now prints seconds since the machine
# was started, which no setting of its clock changes; where there is no /proc, those of the clock.
seconds_now() {
    if [ -r /proc/uptime ]; then cut -d ' ' -f 1 /proc/uptime; else date +%s; fi
}
