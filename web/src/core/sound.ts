// Small sounds of real things, made with Web Audio. Silent until the first touch and when switched off.
import { soundOn } from "./preferences";

export type Sound = "clack" | "flip" | "knock" | "glass" | "coins" | "chime" | "win" | "press";

interface Table {
  context: AudioContext;
  out: AudioNode;
  noise: AudioBuffer;
}

// A context that runs keeps a thread busy and a phone awake, whether it sounds or not.
const REST_AFTER_MS = 3000;

let table: Table | null = null;
let rests = false;
let tillRest: ReturnType<typeof setTimeout> | undefined;

function setTable(): Table {
  const context = new AudioContext();
  const out = new DynamicsCompressorNode(context, { threshold: -14, ratio: 5 });
  const volume = new GainNode(context, { gain: 0.5 });
  out.connect(volume).connect(context.destination);
  const noise = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return { context, out, noise };
}

/** Browsers allow sound only after a touch, and so do we. */
export function listenForFirstTouch(): void {
  const begin = () => {
    table ??= setTable();
    wake(table.context);
  };
  window.addEventListener("pointerdown", begin, { once: true });
  window.addEventListener("keydown", begin, { once: true });
}

function wake(context: AudioContext, forMs = 0): void {
  clearTimeout(tillRest);
  tillRest = setTimeout(() => {
    rests = true;
    void context.suspend();
  }, forMs + REST_AFTER_MS);
  void context.resume().then(() => {
    rests = false;
  });
}

interface Shape {
  at: number;
  gain: number;
  attack?: number;
  decay: number;
}

function envelope({ context, out }: Table, { at, gain, attack = 0.001, decay }: Shape): GainNode {
  const node = new GainNode(context, { gain: 0 });
  node.gain.setValueAtTime(0, at);
  node.gain.linearRampToValueAtTime(gain, at + attack);
  node.gain.exponentialRampToValueAtTime(0.0001, at + attack + decay);
  node.connect(out);
  return node;
}

/** A tone that falls from one pitch to another while it dies away. */
function tone(
  on: Table,
  from: number,
  to: number,
  shape: Shape,
  type: OscillatorType = "sine",
): void {
  const voice = new OscillatorNode(on.context, { type, frequency: from });
  voice.frequency.setValueAtTime(from, shape.at);
  voice.frequency.exponentialRampToValueAtTime(to, shape.at + shape.decay);
  voice.connect(envelope(on, shape));
  voice.start(shape.at);
  voice.stop(shape.at + shape.decay + 0.05);
}

/** Noise through a band that moves from one pitch to another. */
function rustle(on: Table, from: number, to: number, sharpness: number, shape: Shape): void {
  const voice = new AudioBufferSourceNode(on.context, { buffer: on.noise });
  const band = new BiquadFilterNode(on.context, {
    type: "bandpass",
    Q: sharpness,
    frequency: from,
  });
  band.frequency.setValueAtTime(from, shape.at);
  band.frequency.exponentialRampToValueAtTime(to, shape.at + shape.decay);
  voice.connect(band).connect(envelope(on, shape));
  voice.start(shape.at, Math.random() * 0.2);
  voice.stop(shape.at + shape.decay + 0.05);
}

function bell(on: Table, pitch: number, at: number, gain: number, decay: number): void {
  tone(on, pitch, pitch, { at, gain, attack: 0.004, decay });
  tone(on, pitch * 2.01, pitch * 2.01, {
    at,
    gain: gain * 0.35,
    attack: 0.003,
    decay: decay * 0.6,
  });
  tone(on, pitch * 3.02, pitch * 3.02, { at, gain: gain * 0.14, decay: decay * 0.3 });
}

const sounds: Record<Sound, (on: Table, at: number, loudness: number) => void> = {
  // A plastic chip landing on plastic, and its small second landing.
  clack: (on, at, loud) => {
    rustle(on, 2600, 1800, 2.2, { at, gain: 0.9 * loud, decay: 0.035 });
    tone(on, 520, 300, { at, gain: 0.5 * loud, decay: 0.06 }, "triangle");
    tone(on, 190, 110, { at, gain: 0.6 * loud, decay: 0.09 });
    rustle(on, 3000, 2200, 2.5, { at: at + 0.09, gain: 0.28 * loud, decay: 0.025 });
    tone(on, 560, 360, { at: at + 0.09, gain: 0.14 * loud, decay: 0.04 }, "triangle");
  },
  // Thick card turning over and coming to lie.
  flip: (on, at, loud) => {
    rustle(on, 900, 3400, 0.8, { at, gain: 0.35 * loud, attack: 0.05, decay: 0.09 });
    rustle(on, 1500, 700, 1, { at: at + 0.13, gain: 0.5 * loud, decay: 0.04 });
    tone(on, 150, 95, { at: at + 0.13, gain: 0.35 * loud, decay: 0.06 });
  },
  // Turned wood put down on wood.
  knock: (on, at, loud) => {
    tone(on, 330, 250, { at, gain: 0.7 * loud, decay: 0.08 });
    tone(on, 705, 560, { at, gain: 0.3 * loud, decay: 0.05 }, "triangle");
    rustle(on, 1100, 600, 1.4, { at, gain: 0.4 * loud, decay: 0.025 });
  },
  // A glass stone on felt.
  glass: (on, at, loud) => {
    tone(on, 2310, 2290, { at, gain: 0.22 * loud, decay: 0.22 });
    tone(on, 3870, 3860, { at, gain: 0.14 * loud, decay: 0.16 });
    tone(on, 6120, 6100, { at, gain: 0.06 * loud, decay: 0.09 });
    tone(on, 210, 140, { at, gain: 0.35 * loud, decay: 0.05 });
  },
  // A few coins sliding onto others.
  coins: (on, at, loud) => {
    for (const [index, pitch] of [3140, 3720, 2890, 4110, 3360].entries()) {
      const when = at + index * 0.055 + Math.random() * 0.02;
      tone(on, pitch, pitch, { at: when, gain: 0.15 * loud, decay: 0.12 });
      tone(on, pitch * 1.51, pitch * 1.5, { at: when, gain: 0.08 * loud, decay: 0.09 });
      rustle(on, 6200, 5200, 2, { at: when, gain: 0.12 * loud, decay: 0.02 });
    }
  },
  // Your turn.
  chime: (on, at, loud) => {
    bell(on, 659.3, at, 0.2 * loud, 0.4);
    bell(on, 987.8, at + 0.11, 0.22 * loud, 0.55);
  },
  win: (on, at, loud) => {
    for (const [index, pitch] of [523.3, 659.3, 784, 1046.5].entries()) {
      bell(on, pitch, at + index * 0.16, 0.24 * loud, 0.6);
    }
  },
  press: (on, at, loud) => {
    tone(on, 420, 260, { at, gain: 0.16 * loud, decay: 0.035 }, "triangle");
    rustle(on, 2400, 1500, 1.5, { at, gain: 0.1 * loud, decay: 0.015 });
  },
};

/** Unless the browser or the system silences it: what came meanwhile would all sound at once. */
function canSound({ state }: AudioContext): boolean {
  return state === "running" || (rests && state === "suspended");
}

/** Play a sound now, or `delayMs` from now; `loudness` 1 is as it lies on the table. */
export function play(sound: Sound, { delayMs = 0, loudness = 1 } = {}): void {
  if (table === null || !soundOn.get() || !canSound(table.context)) return;
  wake(table.context, delayMs);
  // While it rests its time stands still, so nothing of the sound is lost on waking.
  sounds[sound](table, table.context.currentTime + delayMs / 1000, loudness);
}
