#include "machine/play_page.hpp"

namespace warpfold::machine {

const std::string_view play_page_head = R"page(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A memory machine, step by step</title>
<style>
:root { color-scheme: light dark; --paper: #fff; --ink: #1f2328; --dim: #59616a; --line: #d0d7de; --box: #f3f5f7; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #16191d; --ink: #e6e6e6; --dim: #a5a9ae;
  --line: #3d444d; --box: #20252b; } }
body { margin: 1.2rem auto; max-width: 76rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0 0 .3rem; }
</style>
<h1>A memory machine, step by step</h1>
)page";

const std::string_view play_before_data = R"page(<style>
.play { overflow-wrap: anywhere; }
.play .title { font-weight: 600; margin: 1.2rem 0 .3rem; }
.play .choices { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin: .6rem 0; }
.play label { display: flex; flex-direction: column; font-size: .85rem; color: var(--dim); }
.play select, .play button, .play input { font: inherit; max-width: 100%; }
.play .slider { display: flex; gap: .5rem; align-items: center; }
#step { flex: 1; min-width: 0; }
#facts { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; }
#facts b { font-variant-numeric: tabular-nums; }
#command { display: block; background: var(--box); padding: .4rem .6rem; }
#hover { min-height: 1.5em; color: var(--dim); }
.play svg { display: block; width: 100%; background: var(--paper); }
.play svg text { fill: var(--ink); font: 11px system-ui, sans-serif; }
.play svg text.dim { fill: var(--dim); }
.play svg text.on { fill: #111; pointer-events: none; }
.play svg .frame { fill: none; stroke: var(--line); }
.play svg .now { fill: none; stroke: var(--ink); stroke-width: 2; }
@media print { .play .choices, .play .slider, #hover { display: none; } }
</style>
<div class="play">
<p>Every thread of a warp sends one request in a step. Requests that the memory serves at once share a pipeline stage: on
the DMM one address of each bank, on the UMM one address group. The last request is completed latency - 1 time units after
its stage.</p>
<div class="choices">
<label>pattern <select id="pattern"></select></label>
<label>machine <select id="machine"></select></label>
<label>width w <select id="width"></select></label>
<label>latency l <select id="latency"></select></label>
<label>threads p <select id="threads"></select></label>
<label>size n <select id="size"></select></label>
</div>
<p id="facts"></p>
<code id="command"></code>
<div class="slider"><button id="back" aria-label="previous step">&larr;</button>
<input type="range" id="step" min="0" value="0" aria-label="step">
<button id="forth" aria-label="next step">&rarr;</button></div>
<p id="now"></p>
<p class="title">Threads over time: a row is a thread, a column a time unit, a color a warp</p>
<svg id="timeline" role="img" aria-label="threads over time"></svg>
<p id="hover">Point at a request.</p>
<p class="title" id="places-title"></p>
<svg id="places" role="img" aria-label="the stages of this step"></svg>
</div>
<script>
const data =
)page";

const std::string_view play_after_data = R"page(;
const $ = id => document.getElementById(id);
const colors = ['#a6d3f2', '#f6cf8a', '#a3dcc8', '#e0bcd6', '#d5d5d5', '#f0b49a', '#c9d98a', '#c8c2ec'];
const color = warp => colors[warp % colors.length];
const choices = { pattern: data.patterns.map(pattern => [pattern.id, pattern.name]),
  machine: data.machines.map(m => [m, m.toUpperCase()]), width: data.widths.map(w => [w, w]),
  latency: data.latencies.map(l => [l, l]), threads: data.threads.map(p => [p, p]), size: [] };
const keyParts = ['pattern', 'machine', 'width', 'threads', 'size'];
const maker = 'http://www.w3.org/2000/svg';
let run = null, dispatches = [], steps = [];

function value(id) { return $(id).value; }
function key() { return keyParts.map(value).join('/'); }
// As wide as the figure is shown, so that its letters keep their size.
function shownWidth() { return Math.max($('timeline').clientWidth || 1190, 320); }

// The dispatches of the chosen run, with their times and accesses.
function read() {
  run = data.runs[key()] || null;
  if (!run) { dispatches = []; steps = []; return; }
  const time = run.times[value('latency')], latency = Number(value('latency')), width = Number(value('width'));
  dispatches = run.dispatches.map((d, i) => {
    const accesses = [];
    for (let at = 3; at < d.length; at += 5) {
      const [thread, address, write, stage, content] = d.slice(at, at + 5);
      accesses.push({ thread, address, write, stage, content, bank: address % width, group: Math.floor(address / width),
        from: time.starts[i] + stage, to: time.starts[i] + stage + latency });
    }
    return { warp: d[0], step: d[1], stages: d[2], start: time.starts[i], accesses };
  });
  steps = [...new Set(dispatches.map(d => d.step))];
}

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
const counted = (n, noun, plural) => `${n.toLocaleString('en')} ${n === 1 ? noun : plural || noun + 's'}`;

function add(parent, name, attributes, text) {
  const node = document.createElementNS(maker, name);
  for (const [key, of] of Object.entries(attributes)) node.setAttribute(key, of);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

function place(access) {
  return value('machine') === 'dmm' ? `bank ${access.bank}` : `address group ${access.group}`;
}

function describe(access) {
  return `thread ${access.thread} ${access.write ? 'writes' : 'reads'} address ${access.address}, ${place(access)}, ` +
    `value ${access.content >= 2 ** 60 ? 'infinity' : access.content}: stage ${access.stage + 1}, time units ${access.from} to ${access.to}`;
}

function point(node, access) {
  node.addEventListener('pointerenter', () => { $('hover').textContent = describe(access); });
  add(node, 'title', {}, describe(access));
}

function drawTimeline(chosen) {
  const svg = $('timeline'), threads = Number(value('threads')), units = run.times[value('latency')].units;
  svg.replaceChildren();
  const page = shownWidth(), columns = Math.min(Math.max(units, 12), Math.floor(page / 16), 64);
  const row = threads > 32 ? 8 : 12, left = 34, column = (page - 10 - left) / columns;
  const first = chosen.length ? chosen[0].start : 0;
  const from = Math.max(0, Math.min(first - Math.floor(columns / 4), units - columns));
  svg.setAttribute('viewBox', `0 0 ${page} ${threads * row + 22}`);
  const x = time => left + (time - from) * column, end = from + columns;
  add(svg, 'rect', { x: left, y: 0, width: columns * column, height: threads * row, class: 'frame' });
  for (let t = 0; t < threads; t += threads > 32 ? 8 : 4) {
    add(svg, 'text', { x: left - 4, y: t * row + row - 1, 'text-anchor': 'end', class: 'dim' }, t);
  }
  for (let time = from; time <= end; time += Math.ceil(columns / (page / 70))) {
    add(svg, 'text', { x: x(time), y: threads * row + 15, 'text-anchor': 'middle', class: 'dim' }, time);
  }
  const step = chosen.length ? chosen[0].step : -1;
  for (const d of dispatches) {
    for (const a of d.accesses) {
      const begin = Math.max(a.from, from), stop = Math.min(a.to, end);
      if (begin >= stop) continue;
      const bar = add(svg, 'rect', { x: x(begin), y: a.thread * row + 1, width: (stop - begin) * column - 1, height: row - 2,
        fill: color(d.warp), opacity: d.step === step ? 1 : .45 });
      if (d.step === step) bar.setAttribute('stroke', '#333');
      point(bar, a);
    }
  }
  if (!chosen.length) return;
  const begin = Math.max(first, from);
  add(svg, 'rect', { x: x(begin), y: 0, width: Math.max((Math.min(stepEnd(chosen), end) - begin) * column, 1),
    height: threads * row, class: 'now' });
}

function stepEnd(chosen) {
  return chosen[0].start + sum(chosen, d => d.stages) + Number(value('latency')) - 1;
}

function drawPlaces(chosen) {
  const svg = $('places'), width = Number(value('width')), isDmm = value('machine') === 'dmm';
  svg.replaceChildren();
  $('places-title').textContent = isDmm ? 'This step: a row is a stage, a column a bank'
    : 'This step: a row is a stage, an address group each, a column a word of the group';
  const page = shownWidth(), left = 170, cell = Math.min(80, (page - 10 - left) / width), height = 20;
  const kind = access => cell < 40 ? '' : access.write ? 'W ' : 'R ';
  let top = 18;
  for (let c = 0; c < width; ++c) {
    add(svg, 'text', { x: left + c * cell + cell / 2, y: 12, 'text-anchor': 'middle', class: 'dim' }, isDmm ? `B[${c}]` : `+ ${c}`);
  }
  for (const d of chosen) {
    for (let stage = 0; stage < d.stages; ++stage) {
      const served = d.accesses.filter(a => a.stage === stage);
      const group = !isDmm && served.length ? `, group ${served[0].group}` : '';
      add(svg, 'text', { x: 0, y: top + 14, class: 'dim' }, `time ${d.start + stage}, warp ${d.warp}${group}`);
      for (let c = 0; c < width; ++c) add(svg, 'rect', { x: left + c * cell, y: top, width: cell - 1, height: height - 1, class: 'frame' });
      for (const a of served) {
        const at = left + a.bank * cell;
        point(add(svg, 'rect', { x: at, y: top, width: cell - 1, height: height - 1, fill: color(d.warp) }), a);
        add(svg, 'text', { x: at + cell / 2, y: top + 14, 'text-anchor': 'middle', class: 'on' }, kind(a) + a.address);
      }
      top += height;
    }
  }
  svg.setAttribute('viewBox', `0 0 ${page} ${top + 4}`);
}

function showFacts() {
  const latency = value('latency');
  if (!run) {
    $('facts').textContent = 'There is no run of this pattern with these sizes: choose others.';
    $('command').textContent = $('now').textContent = $('places-title').textContent = '';
    for (const id of ['timeline', 'places']) $(id).replaceChildren();
    return;
  }
  const accesses = sum(dispatches, d => d.accesses.length), stages = sum(dispatches, d => d.stages);
  $('facts').innerHTML = `<span><b id="units">${run.times[latency].units}</b> time units</span>` +
    `<span><b id="stages">${stages}</b> stages</span><span><b id="dispatches">${dispatches.length}</b> dispatches</span>` +
    `<span><b id="accesses">${accesses}</b> accesses</span>` +
    `<span>utilization <b>${(accesses / (stages * Number(value('width')))).toFixed(3)}</b></span>`;
  $('command').textContent = `warpfold ${run.command} --latency ${latency}`;
}

function showStep() {
  if (!run) return;
  const chosen = dispatches.filter(d => d.step === steps[Number(value('step'))]);
  const stages = sum(chosen, d => d.stages), latency = Number(value('latency'));
  $('now').innerHTML = `Step <b id="number">${Number(value('step')) + 1}</b> of <b id="steps">${steps.length}</b>: ` +
    `${counted(chosen.length, 'warp')}, <b id="step-stages">${stages}</b> ${stages === 1 ? 'stage' : 'stages'} + ${latency} - 1 = ` +
    `<b id="step-units">${stages + latency - 1}</b> time units, from <b id="step-start">${chosen[0].start}</b> to ${stepEnd(chosen)}`;
  drawTimeline(chosen);
  drawPlaces(chosen);
}

function choose() {
  read();
  $('step').max = Math.max(steps.length - 1, 0);
  $('step').value = Math.min(Number(value('step')), Math.max(steps.length - 1, 0));
  showFacts();
  showStep();
}

// Offers the sizes of the pattern. Where it has no run with the other choices, its first run is chosen.
function choosePattern() {
  const sizes = data.patterns.find(pattern => String(pattern.id) === value('pattern')).sizes, before = Number(value('size'));
  $('size').replaceChildren(...sizes.map(n => new Option(n, n)));
  $('size').value = sizes.includes(before) ? before : sizes[1];
  if (!data.runs[key()]) {
    const first = Object.keys(data.runs).find(one => one.startsWith(value('pattern') + '/')).split('/');
    keyParts.forEach((id, i) => { $(id).value = first[i]; });
  }
  choose();
}

for (const [id, options] of Object.entries(choices)) {
  for (const [of, name] of options) $(id).add(new Option(name, of));
  $(id).addEventListener('change', id === 'pattern' ? choosePattern : choose);
}
$('latency').value = 5;
for (const link of document.querySelectorAll('[data-play]')) {
  link.addEventListener('click', () => {
    $('pattern').value = data.patterns.find(pattern => pattern.algorithm === link.dataset.play).id;
    choosePattern();
  });
}
$('step').addEventListener('input', showStep);
for (const [id, by] of [['back', -1], ['forth', 1]]) {
  $(id).addEventListener('click', () => { $('step').value = Number(value('step')) + by; showStep(); });
}
window.addEventListener('resize', showStep);
choosePattern();
document.body.dataset.ready = 'yes';
</script>
)page";

}  // namespace warpfold::machine
