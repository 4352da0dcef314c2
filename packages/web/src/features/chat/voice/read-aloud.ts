import { feather } from "#/lib/feather.ts";

/** Time limit of the sound of a part, in milliseconds. */
const SPEECH_TIMEOUT_MS = 120_000;

/** Reads parts of a text aloud with a model, one after the other. Rejects with the error of the call; ends early with the signal. */
export async function readWithModel(parts: readonly string[], model: string, signal: AbortSignal): Promise<void> {
  // Not an element with an address of the sound: the policy of the page allows none.
  const context = new AudioContext();
  try {
    for (const input of parts) {
      const sound = await feather.audio.speech.create({ model, input }, { signal, timeout: SPEECH_TIMEOUT_MS });
      const buffer = await context.decodeAudioData(await sound.arrayBuffer());
      if (signal.aborted) return;
      await play(context, buffer, signal);
    }
  } finally {
    void context.close();
  }
}

function play(context: AudioContext, buffer: AudioBuffer, signal: AbortSignal): Promise<void> {
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  return new Promise((resolve) => {
    source.onended = () => resolve();
    signal.addEventListener("abort", () => {
      source.stop();
      resolve();
    });
    source.start();
  });
}

/** Reads parts of a text aloud with the browser. Rejects if it cannot; ends early with the signal. */
export function readWithBrowser(parts: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    speechSynthesis.cancel();
    signal.addEventListener("abort", () => {
      speechSynthesis.cancel();
      resolve();
    });
    for (const [index, part] of parts.entries()) {
      const utterance = new SpeechSynthesisUtterance(part);
      if (index === parts.length - 1) utterance.onend = () => resolve();
      utterance.onerror = ({ error }) => (signal.aborted ? resolve() : reject(new Error(error)));
      speechSynthesis.speak(utterance);
    }
  });
}
