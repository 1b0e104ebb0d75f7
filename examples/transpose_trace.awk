# Prints the memory accesses of a kernel that transposes a 32 x 32 tile of 4-byte words, as NVBit's tool mem_trace does.
# No GPU is needed: the addresses are computed.
#
#     awk -v layout=plain -f examples/transpose_trace.awk | warpfold machine cost --trace -
#
# layout: direct (global memory alone), or where word (r, c) of the tile is in shared memory: plain (32 r + c),
# padding (33 r + c), swizzle (32 r + (c xor r)) or rotation (32 r + (c + r) mod 32).

function xor(a, b,    bit, result) {
  for (bit = 1; bit < 32; bit *= 2) if (int(a / bit) % 2 != int(b / bit) % 2) result += bit
  return result + 0
}

function place(r, c) {
  if (layout == "padding") return 33 * r + c
  if (layout == "swizzle") return 32 * r + xor(c, r)
  if (layout == "rotation") return 32 * r + (c + r) % 32
  return 32 * r + c
}

function access(warp, opcode, base, across,    lane, line) {
  line = sprintf("MEMTRACE: CTX 0x%016x - grid_launch_id 0 - CTA 0,0,0 - warp %d - %s - ", 4096, warp, opcode)
  for (lane = 0; lane < 32; ++lane) line = line sprintf("0x%016x ", base + 4 * across[lane])
  print line
}

BEGIN {
  from = 1048576; to = 2097152; tile = 1024; side = 1024  # addresses in bytes; the matrices have rows of `side` words
  for (warp = 0; warp < 32; ++warp) {
    for (lane = 0; lane < 32; ++lane) {
      row[lane] = warp * side + lane
      column[lane] = lane * side + warp
      written[lane] = place(warp, lane)
      read[lane] = place(lane, warp)
    }
    access(warp, "LDG.E", from, row)
    if (layout == "direct") {
      access(warp, "STG.E", to, column)
      continue
    }
    access(warp, "STS", tile, written)
    access(warp, "LDS", tile, read)
    access(warp, "STG.E", to, row)
  }
}
