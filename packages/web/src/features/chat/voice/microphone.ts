import { t } from "@lingui/core/macro";

/** A recording that goes on. */
export type Recording = {
  /** Ends it and returns the sound. */
  stop(): Promise<File>;
  /** Ends it and forgets the sound. */
  cancel(): void;
};

/** Speech needs no more; an hour takes 15 MB, and calls take 25. */
const BITS_PER_SECOND = 32_000;

/** Whether the browser can record. */
export const canRecord = (): boolean => typeof MediaRecorder !== "undefined" && navigator.mediaDevices !== undefined;

/** Asks for the microphone and records. Throws what `describeMicrophoneError` describes. */
export async function startRecording(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  try {
    const recorder = new MediaRecorder(stream, { audioBitsPerSecond: BITS_PER_SECOND });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.start();
    return {
      stop: () =>
        new Promise((resolve) => {
          const finish = () => {
            release();
            resolve(toFile(parts, recorder.mimeType));
          };
          if (recorder.state === "inactive") return finish(); // the microphone was unplugged
          recorder.onstop = finish;
          recorder.stop();
        }),
      cancel() {
        recorder.ondataavailable = null;
        if (recorder.state !== "inactive") recorder.stop();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Backends tell the format by the file's name. */
function toFile(parts: readonly Blob[], type: string): File {
  const format = /^(audio|video)\/(\w+)/.exec(type)?.[2] ?? "webm";
  return new File([...parts], `dictation.${format}`, { type });
}

/** Returns why nothing can be recorded, and what to do. */
export function describeMicrophoneError(error: unknown): string {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "not-allowed")
    return t`The browser does not let this page use the microphone. Allow it in the browser's settings of this page, and try again.`;
  if (name === "NotFoundError") return t`No microphone was found. Connect one, and try again.`;
  if (name === "NotReadableError") return t`The microphone cannot be read. Another program may use it.`;
  return t`Nothing can be recorded here.`;
}
