'use strict';
// Shows the step that is asked for: puts together the pieces that LockScope drew, and its texts. It draws nothing.
(async () => {
const place = '\x1f';
const $ = id => document.getElementById(id);
const root = document.documentElement;
if (typeof DecompressionStream === 'undefined') {
  const old = document.querySelector('noscript');
  $('failed').textContent = new DOMParser().parseFromString(old.textContent, 'text/html').body.innerText;
  $('failed').hidden = false;
  return;
}
const packed = Uint8Array.from(atob($('run').textContent), c => c.charCodeAt(0));
const run = JSON.parse(await new Response(
  new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'))).text());
const count = run.texts[run.language].length;
const shown = {};
let language = run.language, step = 0, timer = 0;

function markup(frame) {
  const numbers = frame.split(' ');
  let text = '', x = 0, y = 0;
  for (let i = 0; i < numbers.length; ++i) {
    const piece = run.pieces[numbers[i]];
    if (!piece.includes(place)) { text += piece; continue; }
    x += +numbers[++i];
    y += +numbers[++i];
    text += piece.replace(place, x / 100 + ',' + y / 100);
  }
  return text;
}

function show(to) {
  step = Math.max(0, Math.min(count - 1, to));
  const texts = run.texts[language][step], words = run.words[language];
  for (const [view, frames] of Object.entries(run.pictures[language])) {
    if (shown[view] === frames[step]) continue;
    shown[view] = frames[step];
    $(view + '-picture').innerHTML = markup(run.frames[frames[step]]);
  }
  $('chain-picture').setAttribute('aria-description', texts.chain);
  for (const id of ['where', 'about', 'what', 'why', 'serverTitle', 'serverText', 'verdict'])
    $(id).textContent = texts[id];
  $('scrub').value = step + 1;
  $('scrub').setAttribute('aria-valuetext', texts.where);
  $('first').disabled = $('back').disabled = step === 0;
  $('last').disabled = $('forward').disabled = step === count - 1;
  $('steps').querySelector('[aria-current]')?.removeAttribute('aria-current');
  $('steps').children[step].firstChild.setAttribute('aria-current', 'step');
  label('play', timer ? words.pause : words.play);
}

function label(id, text) {
  $(id).title = text;
  $(id).setAttribute('aria-label', text);
}

function speak(code) {
  language = code;
  root.lang = code.replace('_', '-');
  const words = run.words[code];
  document.title = $('title').textContent = words.title;
  $('facts').textContent = words.facts;
  for (const each of document.querySelectorAll('[data-word]')) each.textContent = words[each.dataset.word];
  for (const id of ['first', 'back', 'forward', 'last']) label(id, words[id]);
  $('scrub').setAttribute('aria-label', words.scrub);
  $('controls').setAttribute('aria-label', words.controls);
  for (const view of Object.keys(run.pictures[code])) $(view + '-title').textContent = words[view];
  $('steps').replaceChildren(...run.texts[code].map((texts, at) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = texts.line;
    button.onclick = () => { pause(); show(at); };
    const item = document.createElement('li');
    item.append(button);
    return item;
  }));
  show(step);
}

function pause() {
  clearInterval(timer);
  timer = 0;
  delete root.dataset.playing;
  $('explain').setAttribute('aria-live', 'polite');
  show(step);
}

function play() {
  if (step === count - 1) step = 0;
  root.dataset.playing = '';
  $('explain').setAttribute('aria-live', 'off'); // read aloud, every step would cut off the one before
  clearInterval(timer);
  timer = setInterval(() => { show(step + 1); if (step === count - 1) pause(); }, 1000 / $('pace').value);
  show(step);
}

const toggle = () => timer ? pause() : play();
const go = to => { pause(); show(to); };
const keys = { ' ': toggle, ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), Home: () => go(0), End: () => go(count - 1) };
addEventListener('keydown', event => {
  const own = event.target.closest('select') || (event.key === ' ' && event.target.closest('button, summary'));
  if (!keys[event.key] || own || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  keys[event.key]();
});
$('first').onclick = keys.Home;
$('back').onclick = keys.ArrowLeft;
$('play').onclick = toggle;
$('forward').onclick = keys.ArrowRight;
$('last').onclick = keys.End;
$('scrub').oninput = event => go(event.target.value - 1);
$('pace').onchange = () => { if (timer) play(); };
for (const [code, words] of Object.entries(run.words)) {
  const option = new Option(words.name, code, false, code === language);
  option.lang = code.replace('_', '-');
  $('language').add(option);
}
$('language').onchange = event => speak(event.target.value);
$('scheme').value = root.dataset.scheme;
$('scheme').onchange = event => { root.dataset.scheme = event.target.value; };
$('scrub').max = count;
const open = () => { const asked = parseInt(location.hash.slice(1), 10); if (asked) go(asked - 1); };
addEventListener('hashchange', open);
speak(language);
open();
$('player').hidden = false;
})();
