import { t } from "@lingui/core/macro";
import { useEffect, useRef, useState } from "react";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { describeMicrophoneError, type Recording, startRecording } from "./microphone.ts";
import { findRecognition, type Recognition, textOf } from "./recognition.ts";

/** Time limit of a transcription, in milliseconds. */
const TRANSCRIPTION_TIMEOUT_MS = 120_000;

type State = "idle" | "starting" | "listening" | "writing";
/** What listens: a recording for a model, or the browser. */
type Listening = { end(): void; cancel(): void };

/** Writes down what the user says: with the model, or without one with the browser. The text is given to `addText`. */
export function useDictation(model: string | null, addText: (text: string) => void) {
  const [state, setState] = useState<State>("idle");
  const [problem, setProblem] = useState<string | null>(null);
  const listening = useRef<Listening | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      listening.current?.cancel();
    };
  }, []);

  function finish(reason: string | null): void {
    listening.current = null;
    setState("idle");
    setProblem(reason);
  }

  async function write(recording: Recording, transcriber: string): Promise<void> {
    setState("writing");
    try {
      const file = await recording.stop();
      const body = { model: transcriber, file };
      const { text } = await feather.audio.transcriptions.create(body, { timeout: TRANSCRIPTION_TIMEOUT_MS });
      if (text.trim() !== "") addText(text.trim());
      finish(text.trim() === "" ? t`Nothing was understood.` : null);
    } catch (error) {
      finish(errorMessage(error));
    }
  }

  async function record(transcriber: string): Promise<void> {
    const recording = await startRecording();
    if (isGone.current) return recording.cancel();
    listening.current = { end: () => void write(recording, transcriber), cancel: recording.cancel };
    setState("listening");
  }

  function recognize(recognition: Recognition): void {
    let reason: string | null = null;
    recognition.continuous = true;
    recognition.interimResults = false;
    recognition.lang = navigator.language;
    recognition.onresult = (event) => addText(textOf(event).trim());
    recognition.onerror = ({ error }) => {
      if (error !== "aborted") reason = describeRecognitionError(error);
    };
    recognition.onend = () => finish(reason);
    recognition.start();
    listening.current = { end: () => recognition.stop(), cancel: () => recognition.abort() };
    setState("listening");
  }

  async function begin(): Promise<void> {
    setProblem(null);
    setState("starting");
    try {
      const Found = findRecognition();
      if (model !== null) await record(model);
      else if (Found) recognize(new Found());
      else finish(t`The model that writes down speech is gone, and this browser does not do it itself.`);
    } catch (error) {
      finish(describeMicrophoneError(error));
    }
  }

  return {
    state,
    problem,
    toggle: () => (state === "idle" ? void begin() : listening.current?.end()),
  };
}

function describeRecognitionError(error: string): string {
  if (error === "not-allowed" || error === "service-not-allowed")
    return describeMicrophoneError(Object.assign(new Error(error), { name: "NotAllowedError" }));
  if (error === "audio-capture")
    return describeMicrophoneError(Object.assign(new Error(error), { name: "NotFoundError" }));
  if (error === "no-speech") return t`Nothing was understood.`;
  return t`The browser's recognition of speech failed.`;
}
