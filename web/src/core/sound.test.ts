// When sounds are made, and when nothing is kept busy for them.
import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** As much of Web Audio as sounds need; it makes none. */
class Context {
  static made: Context[] = [];
  state: AudioContextState = "running";
  allowed = true;
  currentTime = 0;
  sampleRate = 8;
  destination = {};

  constructor() {
    Context.made.push(this);
  }

  createBuffer() {
    return { getChannelData: () => new Float32Array(4) };
  }

  async resume() {
    if (!this.allowed) return new Promise<void>(() => undefined);
    this.state = "running";
  }

  async suspend() {
    this.state = "suspended";
  }
}

const started = vi.fn();

class Node {
  gain = this.value();
  frequency = this.value();
  start = started;
  stop = vi.fn();

  connect<T>(next: T): T {
    return next;
  }

  private value() {
    const nothing = vi.fn();
    return {
      setValueAtTime: nothing,
      linearRampToValueAtTime: nothing,
      exponentialRampToValueAtTime: nothing,
    };
  }
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  started.mockClear();
  Context.made = [];
  vi.stubGlobal("AudioContext", Context);
  for (const name of [
    "DynamicsCompressorNode",
    "GainNode",
    "OscillatorNode",
    "AudioBufferSourceNode",
    "BiquadFilterNode",
  ]) {
    vi.stubGlobal(name, Node);
  }
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function touched() {
  const sound = await import("./sound");
  sound.listenForFirstTouch();
  window.dispatchEvent(new Event("pointerdown"));
  await vi.advanceTimersByTimeAsync(0);
  const [context] = Context.made;
  if (context === undefined) throw new Error("a touch makes one");
  return { ...sound, context };
}

it("is silent before the first touch", async () => {
  const { play } = await import("./sound");
  play("clack");
  expect(Context.made).toEqual([]);
  expect(started).not.toHaveBeenCalled();
});

it("rests when nothing sounds, and wakes for the next sound", async () => {
  const { play, context } = await touched();
  play("clack");
  await vi.advanceTimersByTimeAsync(2000);
  expect(context.state).toBe("running");
  await vi.advanceTimersByTimeAsync(1000);
  expect(context.state).toBe("suspended");
  started.mockClear();
  play("clack");
  expect(started).toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(0);
  expect(context.state).toBe("running");
});

it("stays awake for a sound that comes later", async () => {
  const { play, context } = await touched();
  play("win", { delayMs: 2500 });
  await vi.advanceTimersByTimeAsync(5400);
  expect(context.state).toBe("running");
  await vi.advanceTimersByTimeAsync(100);
  expect(context.state).toBe("suspended");
});

it("keeps nothing for later while the system silences it", async () => {
  const { play, context } = await touched();
  context.state = "suspended";
  context.allowed = false;
  play("clack");
  expect(started).not.toHaveBeenCalled();
});
