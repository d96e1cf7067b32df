// Sounds of moves, synthesized so that no file is loaded. Off by default.

import { load, save } from './storage.js';

const KEY = 'tabiya-sound';
let isOn = load('localStorage', KEY) === 'on';

/** @type {AudioContext | null} */
let context = null;

export const soundIsOn = () => isOn;

/** @param {boolean} on */
export function setSound(on) {
  isOn = on;
  save('localStorage', KEY, isOn ? 'on' : 'off');
  if (isOn) click('move');
}

/** @param {'move' | 'capture' | 'end'} what */
export function click(what) {
  if (!soundIsOn()) return;
  context ??= new AudioContext();
  const pitches = { move: [520], capture: [340, 210], end: [392, 494, 587] }[what];
  pitches.forEach((pitch, index) => tap(/** @type {AudioContext} */ (context), pitch, index * (what === 'end' ? 0.13 : 0.045), what === 'end' ? 0.35 : 0.09));
}

/** @param {AudioContext} audio @param {number} pitch @param {number} wait @param {number} length */
function tap(audio, pitch, wait, length) {
  const [tone, loudness, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + wait];
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(pitch * 1.6, start);
  tone.frequency.exponentialRampToValueAtTime(pitch, start + 0.02);
  loudness.gain.setValueAtTime(0.18, start);
  loudness.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(loudness).connect(audio.destination);
  tone.start(start);
  tone.stop(start + length);
}
