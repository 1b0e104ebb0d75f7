# Draws a genome of 100,000 bases, old.fa, and a changed copy, new.fa. The copy lacks 600 bases in one place. Elsewhere
# it lacks one base in 200, as many came in, and as many were drawn again.
#
#     awk -f examples/two_genomes.awk

function draw(n) { x = x * 16807 % 2147483647; return x % n }
function base() { return substr("ACGT", draw(4) + 1, 1) }
BEGIN {
  x = 1; print ">old" > "old.fa"; print ">new" > "new.fa"
  for (i = 0; i < 100000; ++i) {
    b = base(); printf "%s", b > "old.fa"
    kind = draw(200)
    if (kind == 0 || (i >= 40000 && i < 40600)) continue
    printf "%s%s", kind == 1 ? base() : "", kind == 2 ? base() : b > "new.fa"
  }
}
