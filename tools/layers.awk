# SPDX-License-Identifier: Apache-2.0
# The reading half of tools/check_layers (POSIX awk). The first file is src/LAYERS, the others are
# sources. what=edges prints "room dependency" pairs, what=picture the Mermaid block, what=check one line a
# fault and exit status 1 if there was any.

BEGIN {
  # Long words are looked for anywhere in a name; short ones only where they stand alone or start a part
  # of a name (hipMalloc, AMD_X, isHip), or "chip" and "relationship" would be vendor words.
  long_words = "cuda|nvidia|rocm|cupti|nccl|rccl|cublas|cudnn|cutlass|miopen|rocprof|nvtx|roctx|nvml|" \
               "tensile|kineto"
  short_words = "(^|[^a-z])(hip|amd)([^a-z]|$)"
  short_camel = "[a-z](Hip|Amd)([^a-z]|$)|(^|[^A-Za-z])(hip|amd)[A-Z]"
  impure = "<(iostream|fstream|cstdio|stdio\\.h|filesystem|chrono|ctime|time\\.h|unistd\\.h|fcntl\\.h|" \
           "sys/[a-z]+\\.h)>"
  talks = "std::(cout|cerr|clog|getenv|exit|quick_exit|signal)|fmt::print|" \
          "(^|[^a-zA-Z0-9_.>:])(printf|fprintf|puts|getenv|exit|_exit|signal|sigaction)[ ]*\\("
  # CHECK ends the process; everything else leaves that to cli.
  may_talk["src/base/check.cpp"] = 1
}

FNR == 1 { ++files }

files == 1 && /^[a-z]/ {
  colon = index($0, ":")
  words = split(substr($0, 1, colon - 1), head, " ")
  room = head[1]
  if (room in position) fault("src/LAYERS:" FNR, "the room " room " stands there twice")
  order[++rooms] = room
  position[room] = rooms
  for (i = 2; i <= words; ++i) {
    if (head[i] != "pure" && head[i] != "vendor")
      fault("src/LAYERS:" FNR, "unknown mark '" head[i] "' on " room)
    mark[room, head[i]] = 1
  }
  uses[room] = substr($0, colon + 1)
  count = split(uses[room], deps, " ")
  for (i = 1; i <= count; ++i) allowed[room, deps[i]] = 1
  next
}
files == 1 { next }

FNR == 1 {
  n = split(FILENAME, parts, "/")
  room = parts[2]
  if (!(room in position)) fault(FILENAME ":1", "the room " room " does not stand in src/LAYERS")
  for (i = 2; i <= n; ++i) {
    name = parts[i]
    sub(/\.[a-z]+$/, "", name)
    if (name !~ /^[a-z0-9_]+$/) fault(FILENAME ":1", name " is not snake_case")
    if (name ~ /^(utils?|misc|helpers?|common)$/)
      fault(FILENAME ":1", "name it after what is in it, not " name)
  }
  in_block = 0
  raw_end = ""
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
  path = $0
  sub(/^[^"]*"/, "", path)
  sub(/".*/, "", path)
  target = path
  if (!sub(/\/.*/, "", target) || path ~ /\.\./)
    fault(FILENAME ":" FNR, "includes are written from src/: \"room/" path "\"")
  else if (target != room && target != "base" && !((room, target) in allowed))
    fault(FILENAME ":" FNR, room " may not include " target " (src/LAYERS)")
  next
}

/^[ \t]*#[ \t]*include/ {
  if ((room, "pure") in mark && $0 ~ impure)
    fault(FILENAME ":" FNR, "no I/O and no clock in the pure room " room ": " $0)
  else if (room != "cli" && $0 ~ /<iostream>/)
    fault(FILENAME ":" FNR, "only cli prints; <iostream> in " room)
  next
}

{
  # A file of plain lines is most of them: skip the slow walk where nothing could be found.
  lower = tolower($0)
  excused = excuse
  excuse = $0 ~ /^[ \t]*\/\/ vendor-word: [a-z]/
  suspect = lower ~ long_words || lower ~ /hip|amd/
  chatty = room != "cli" && !(FILENAME in may_talk) && $0 ~ talks
  tangled = in_block || raw_end != "" || $0 ~ /\/\*|R"/
  if (!suspect && !chatty && !tangled) next
  code = strip($0)
  if (chatty && code ~ talks)
    fault(FILENAME ":" FNR, "only cli prints, exits, reads the environment or catches signals")
  if (suspect && !((room, "vendor") in mark) && !excused && $0 !~ /vendor-word: [a-z]/) {
    lower = tolower(code)
    if (lower ~ long_words || lower ~ short_words || code ~ short_camel)
      fault(FILENAME ":" FNR, "vendor word in " room ": " substr($0, match($0, /[^ ]/)))
  }
}

END {
  for (i = 1; i <= rooms; ++i) {
    count = split(uses[order[i]], deps, " ")
    for (j = 1; j <= count; ++j) {
      if (!(deps[j] in position)) fault("src/LAYERS", order[i] " names the unknown room " deps[j])
      if (what == "edges") print order[i], deps[j]
    }
  }
  if (what == "picture") draw()
  exit faults > 0
}

function fault(place, why) {
  if (what != "check") return
  print place ": " why
  ++faults
}

# The line without comments and prose. Raw strings are kept whole: they hold patterns, not prose.
function strip(line,    out, c, two, text, end, tag) {
  out = ""
  while (line != "") {
    if (in_block) {
      end = index(line, "*/")
      if (!end) return out
      line = substr(line, end + 2)
      in_block = 0
      continue
    }
    if (raw_end != "") {
      end = index(line, raw_end)
      if (!end) return out line
      out = out substr(line, 1, end - 1)
      line = substr(line, end + length(raw_end))
      raw_end = ""
      continue
    }
    c = substr(line, 1, 1)
    two = substr(line, 1, 2)
    if (two == "//") return out
    if (two == "/*") {
      in_block = 1
      line = substr(line, 3)
    } else if (match(line, /^R"[^( ]*\(/)) {
      raw_end = ")" substr(line, 3, RLENGTH - 3) "\""
      line = substr(line, RLENGTH + 1)
    } else if (match(line, /^"([^"\\]|\\.)*"/)) {
      text = substr(line, 1, RLENGTH)
      line = substr(line, RLENGTH + 1)
      tag = out ~ /[{(=][ ]*$/ && line ~ /^,[ ]*(\.text = )?("|$)/ && text ~ /^"[a-z]+"$/
      out = out (text ~ / / || tag ? "\"\"" : text)
    } else if (match(line, /^'([^'\\]|\\.)+'/)) {
      line = substr(line, RLENGTH + 1)
    } else {
      out = out c
      line = substr(line, 2)
    }
  }
  return out
}

function draw(    i, j, count, deps, pure) {
  print "```mermaid"
  print "flowchart LR"
  for (i = 1; i <= rooms; ++i) {
    if (order[i] == "base") continue
    if ((order[i], "pure") in mark) pure = pure (pure == "" ? "" : ",") order[i]
    print "  " order[i]
    count = split(uses[order[i]], deps, " ")
    for (j = 1; j <= count; ++j) print "  " order[i] " --> " deps[j]
  }
  if (pure != "") {
    print "  classDef pure stroke-dasharray: 4 3"
    print "  class " pure " pure"
  }
  print "```"
}
