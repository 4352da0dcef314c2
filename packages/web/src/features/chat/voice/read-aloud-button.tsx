import { t } from "@lingui/core/macro";
import { useEffect, useRef, useState } from "react";
import { errorMessage } from "#/lib/error-message.ts";
import { useToast } from "#/lib/toast.ts";
import { readWithBrowser, readWithModel } from "./read-aloud.ts";
import { splitSpeakable, toSpeakable } from "./speakable.ts";
import { useVoiceModel } from "./use-voice-model.ts";

const canPlay = (): boolean => typeof AudioContext !== "undefined";
const canSpeak = (): boolean => typeof speechSynthesis !== "undefined";

/** Reads an answer aloud, by a model or else by the browser; nothing where neither can. */
export function ReadAloudButton({ text }: { text: string }) {
  const model = useVoiceModel("speech", canPlay());
  const toast = useToast();
  const [isReading, setReading] = useState(false);
  const reading = useRef<AbortController | null>(null);
  useEffect(() => () => reading.current?.abort(), []);
  if (model === undefined || (model === null && !canSpeak())) return null;

  async function begin(): Promise<void> {
    const controller = new AbortController();
    reading.current = controller;
    const { signal } = controller;
    setReading(true);
    const parts = splitSpeakable(toSpeakable(text));
    try {
      if (model) await readWithModel(parts, model, signal);
      else if (parts.length > 0) await readWithBrowser(parts, signal);
    } catch (error) {
      // After the user stopped it, the error is that of the stopped call.
      if (!signal.aborted)
        toast({
          title: t`The answer cannot be read aloud.`,
          description: model ? errorMessage(error) : t`The browser has no voice for it.`,
        });
    }
    if (reading.current === controller) setReading(false);
  }

  return (
    <button
      type="button"
      className="plain"
      title={model ? t`By ${model}.` : t`By your browser.`}
      onClick={() => {
        if (isReading) reading.current?.abort();
        else void begin();
      }}
    >
      {isReading ? t`Stop reading` : t`Read aloud`}
    </button>
  );
}
