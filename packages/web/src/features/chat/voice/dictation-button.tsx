import { t } from "@lingui/core/macro";
import { canRecord } from "./microphone.ts";
import { findRecognition } from "./recognition.ts";
import { useDictation } from "./use-dictation.ts";
import { useVoiceModel } from "./use-voice-model.ts";

type Props = {
  /** Receives what was said, each time that something was understood. */
  addText(text: string): void;
};

/** The buttons beside it scroll sideways on a phone. */
const scrollTo = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });

/** Writes down what the user says, by a model or else by the browser; nothing where neither can. */
export function DictationButton({ addText }: Props) {
  const model = useVoiceModel("transcription", canRecord());
  const { state, problem, toggle } = useDictation(model ?? null, addText);
  if (model === undefined || (model === null && findRecognition() === null)) return null;
  const hint = model === null ? t`By your browser, whose maker may receive what you say.` : t`By ${model}.`;
  return (
    <>
      <button
        type="button"
        className="chip"
        aria-pressed={state === "listening"}
        disabled={state === "starting" || state === "writing"}
        title={hint}
        onClick={toggle}
      >
        {state === "listening" ? t`Stop listening` : state === "writing" ? t`Writing down …` : t`Dictate`}
      </button>
      {problem === null ? null : (
        <span className="small error-text" role="alert" ref={scrollTo}>
          {problem}
        </span>
      )}
    </>
  );
}
