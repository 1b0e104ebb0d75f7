#include "machine/trace_page.hpp"

namespace warpfold::machine {

const std::string_view trace_page_before = R"page(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>warpfold trace</title>
<style>
  body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5em auto; max-width: 1100px; padding: 0 1em; color: #222; }
  h1 { font-size: 1.3em; margin: 0 0 .2em; }
  h2 { font-size: 1em; margin: 1.2em 0 .3em; }
  canvas { width: 100%; display: block; }
  input[type=range] { width: 100%; margin: .3em 0; }
  #facts, .hint { color: #666; margin: 0 0 .6em; }
  #requests { font-family: ui-monospace, monospace; font-size: 13px; white-space: pre-wrap; min-height: 4em; }
</style>
<h1 id="title"></h1>
<p id="facts"></p>
<canvas id="overview" height="46"></canvas>
<input type="range" id="time" min="0" value="0" aria-label="time unit">
<div>
  <button id="previous">&larr; previous dispatch</button>
  <button id="next">next dispatch &rarr;</button>
  <label id="choice">memory <select id="memory"></select></label>
  <strong id="now"></strong>
</div>
<h2>Pipeline: a column is a time unit, a row a pipeline register, a color a warp</h2>
<canvas id="pipeline" height="300"></canvas>
<h2 id="places-title"></h2>
<canvas id="places" height="110"></canvas>
<div id="requests"></div>
<script>
const trace =
)page";

const std::string_view trace_page_after = R"page(;
const $ = id => document.getElementById(id);
const color = (warp, light = 55) => `hsl(${warp * 137.508 % 360} 65% ${light}%)`;
const machine = trace.machine;
const memories = [...new Set(trace.dispatches.map(d => d.memory))].sort((a, b) => a - b);
const kindOf = memory => machine.kind !== 'hmm' ? machine.kind : memory === 0 ? 'umm' : 'dmm';
let time = 0, memory = memories.length ? memories[0] : 0, own = [];

// The dispatches of the memory that is shown are in the order of their start.
function choose(index) {
  memory = index;
  own = trace.dispatches.filter(d => d.memory === memory).sort((a, b) => a.start - b.start);
}

function firstNotBefore(t) {
  let low = 0, high = own.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (own[middle].start + own[middle].stages <= t) low = middle + 1; else high = middle;
  }
  return low;
}

// A canvas as wide as it is shown, in units of CSS pixels.
function context(id) {
  const canvas = $(id), scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth || 1000, height = Number(canvas.getAttribute('data-height') || canvas.height);
  canvas.setAttribute('data-height', height);
  canvas.width = width * scale; canvas.height = height * scale; canvas.style.height = height + 'px';
  const draw = canvas.getContext('2d');
  draw.scale(scale, scale);
  draw.clearRect(0, 0, width, height);
  draw.font = '12px system-ui, sans-serif';
  return { draw, width, height };
}

function drawOverview() {
  const { draw, width } = context('overview');
  const end = Math.max(trace.time_units, 1), x = t => t / end * width;
  trace.phases.forEach((phase, i) => {
    const to = i + 1 < trace.phases.length ? trace.phases[i + 1].start : end;
    if (to === phase.start) return;
    draw.fillStyle = i % 2 ? '#e6e6e6' : '#f3f3f3';
    draw.fillRect(x(phase.start), 0, x(to) - x(phase.start), 30);
    draw.fillStyle = '#444';
    if (x(to) - x(phase.start) > draw.measureText(phase.name).width + 6) draw.fillText(phase.name, x(phase.start) + 3, 12);
  });
  for (const d of own) {
    draw.fillStyle = color(d.warp);
    draw.fillRect(x(d.start), 16, Math.max(x(d.start + d.stages) - x(d.start), .5), 14);
  }
  draw.fillStyle = '#000';
  draw.fillRect(Math.min(x(time), width - 2), 0, 2, 34);
  draw.fillText('0', 0, 45);
  draw.textAlign = 'right';
  draw.fillText(String(trace.time_units), width, 45);
}

function drawPipeline() {
  const latency = own.length ? own[0].completed - own[0].start - own[0].stages + 1 : 1;
  const columns = Math.min(Math.max(trace.time_units, 10), 120), left = 30, bottom = 16;
  $('pipeline').setAttribute('data-height', Math.min(latency * 40, 284) + bottom);
  const { draw, width, height } = context('pipeline');
  const from = Math.max(0, Math.min(time - Math.floor(columns / 3), trace.time_units - columns));
  const w = (width - left) / columns, h = Math.min((height - bottom) / latency, 40);
  const gap = w > 6 && h > 6 ? 1 : 0;
  draw.fillStyle = '#f7f7f7';
  draw.fillRect(left, 0, width - left, h * latency);
  for (let i = firstNotBefore(from - latency); i < own.length && own[i].start < from + columns; ++i) {
    const d = own[i];
    draw.fillStyle = color(d.warp, 50);
    for (let stage = 0; stage < d.stages; ++stage) {
      for (let register = 0; register < latency; ++register) {
        const t = d.start + stage + register;
        if (t < from || t >= from + columns) continue;
        draw.fillRect(left + (t - from) * w, register * h, w - gap, h - gap);
        if (w > 16 && h > 13 && register === 0) {
          draw.fillStyle = '#fff';
          draw.fillText(String(d.warp), left + (t - from) * w + 3, h - 4);
          draw.fillStyle = color(d.warp, 50);
        }
      }
    }
  }
  draw.lineWidth = 2;
  draw.strokeStyle = '#000';
  draw.strokeRect(left + (time - from) * w, 1, w, h * latency - 2);
  draw.fillStyle = '#444';
  draw.fillText('1', 10, 12);
  if (latency > 1) draw.fillText(String(latency), 2, h * latency - 2);
  for (let t = from; t < from + columns; t += Math.ceil(columns / 12)) {
    draw.fillText(String(t), left + (t - from) * w, h * latency + 13);
  }
}

// The requests that enter the pipeline in the chosen time unit: one stage of one dispatch.
function entering() {
  const d = own[firstNotBefore(time)];
  if (!d || d.start > time) return null;
  return { dispatch: d, stage: time - d.start, accesses: d.accesses.filter(a => a[3] === time - d.start) };
}

function drawPlaces(now) {
  const { draw, width } = context('places');
  const kind = kindOf(memory), banks = machine.width, unit = width / banks;
  const group = now && kind === 'umm' && now.accesses.length ? now.accesses[0][4] : 0;
  const cells = new Map();
  if (now) for (const a of now.accesses) {
    const cell = kind === 'umm' ? a[1] - group * banks : kind === 'dmm' ? a[4] : cells.size;
    if (!cells.has(cell)) cells.set(cell, { address: a[1], write: a[2], threads: [] });
    cells.get(cell).threads.push(a[0]);
  }
  $('places-title').textContent = kind === 'dmm' ? `Banks 0 to ${banks - 1} in this time unit: one address each`
    : kind === 'umm' ? `Address group${now ? ` ${group}: addresses ${group * banks} to ${(group + 1) * banks - 1}` : ''} in this time unit`
    : 'Addresses in this time unit';
  for (let cell = 0; cell < banks; ++cell) {
    const hit = cells.get(cell);
    draw.fillStyle = hit ? color(now.dispatch.warp, hit.write ? 42 : 55) : '#eee';
    draw.fillRect(cell * unit, 20, Math.max(unit - 1, .7), 50);
    if (unit < 24) continue;
    draw.fillStyle = '#777';
    if (kind !== 'umm') draw.fillText(String(cell), cell * unit + 2, 14);
    if (!hit) continue;
    draw.fillStyle = '#fff';
    draw.fillText((hit.write ? 'W' : 'R') + (unit > 44 ? ' ' + hit.address : ''), cell * unit + 3, 40);
    draw.fillStyle = '#444';
    draw.fillText('t' + hit.threads[0] + (hit.threads.length > 1 ? '+' : ''), cell * unit + 2, 86);
  }
}

// Which word of which array an access is for, and what it holds: "; ST[5] = 7".
function content(access) {
  if (memory !== 0) return '';
  const array = trace.arrays.find(one => access[1] >= one.base && access[1] < one.base + one.size);
  const value = Number.isSafeInteger(access[5]) ? ` = ${access[5]}` : '';
  return array ? `; ${array.name}[${access[1] - array.base}]${value}` : '';
}

function describe(now) {
  if (!now) return 'No request enters the pipeline of this memory in this time unit.';
  const d = now.dispatch, phase = trace.phases.length ? trace.phases[d.phase].name : 'all';
  const lines = now.accesses.map(a => `thread ${a[0]} ${a[2] ? 'writes' : 'reads'} address ${a[1]}` + content(a));
  return `phase "${phase}", step ${d.step}, warp ${d.warp}: stage ${now.stage + 1} of ${d.stages}, completed at time ` +
    `${d.completed}\n` + lines.join('\n');
}

function show(t) {
  time = Math.max(0, Math.min(t, Math.max(trace.time_units - 1, 0)));
  $('time').value = time;
  $('now').textContent = `time unit ${time} of ${trace.time_units}`;
  const now = entering();
  drawOverview();
  drawPipeline();
  drawPlaces(now);
  $('requests').textContent = describe(now);
}

$('title').textContent = document.title = trace.title;
$('facts').textContent = `${trace.time_units} time units, ${trace.dispatches.length} dispatches, ` +
  `${trace.dispatches.reduce((sum, d) => sum + d.accesses.length, 0)} accesses, width ${machine.width}, ` +
  `latency ${machine.latency}`;
for (const m of memories) {
  const name = machine.kind !== 'hmm' ? 'the only one' : m === 0 ? 'global' : `shared, multiprocessor ${m - 1}`;
  $('memory').add(new Option(name, m));
}
$('choice').hidden = memories.length < 2;
$('memory').onchange = e => { choose(Number(e.target.value)); show(time); };
$('time').max = Math.max(trace.time_units - 1, 0);
$('time').oninput = e => show(Number(e.target.value));
$('next').onclick = () => { const d = own.find(one => one.start > time); if (d) show(d.start); };
$('previous').onclick = () => { const d = own.filter(one => one.start < time).pop(); if (d) show(d.start); };
$('overview').onclick = e => show(Math.floor(e.offsetX / $('overview').clientWidth * trace.time_units));
window.onresize = () => show(time);
choose(memory);
show(Number(location.hash.slice(1)) || 0);
document.body.dataset.ready = 'yes';
</script>
</html>
)page";

}  // namespace warpfold::machine
