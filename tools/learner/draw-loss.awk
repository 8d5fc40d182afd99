# draw-loss.awk LOSS.CSV: the training loss of chapter 11, drawn with letters in 72 columns: each
# column is the mean of some steps, the lowest line is the entropy of the text.
BEGIN { FS = ","; width = 62; height = 9 }
FNR > 1 { loss[++n] = $2; floor = $4 }
END {
    if (width > n) width = n
    for (i = 1; i <= n; i++) {
        column = int((i - 1) * width / n)
        sum[column] += loss[i]
        steps[column]++
    }
    top = sum[0] / steps[0]
    for (column = 0; column < width; column++) {
        share = (sum[column] / steps[column] - floor) / (top - floor)
        drawn[int((1 - share) * (height - 1) + 0.5) "," column] = "*"
    }
    for (row = 0; row < height; row++) {
        line = ""
        for (column = 0; column < width; column++) {
            at = row "," column
            line = line (at in drawn ? "*" : row == height - 1 ? "-" : " ")
        }
        sub(/ +$/, "", line)
        label = row == 0 || row == height - 1 ? sprintf("%.2f", top + (floor - top) * (row != 0)) : ""
        printf "  %5s |%s\n", label, line
    }
    printf "        step 1%" (width - 6) "s\n", "step " n
}
