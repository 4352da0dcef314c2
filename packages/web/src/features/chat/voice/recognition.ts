/** What browsers call the recognition of speech, as far as it is used here. */
export type Recognition = {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  onresult: ((event: { resultIndex: number; results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
};
type RecognitionClass = new () => Recognition;

/** Returns the browser's recognition of speech; null if it has none. */
export function findRecognition(): RecognitionClass | null {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as {
    SpeechRecognition?: RecognitionClass;
    webkitSpeechRecognition?: RecognitionClass;
  };
  return SpeechRecognition ?? webkitSpeechRecognition ?? null;
}

/** Returns what was recognized since the last event. */
export function textOf({ resultIndex, results }: Parameters<NonNullable<Recognition["onresult"]>>[0]): string {
  return Array.from(results)
    .slice(resultIndex)
    .map((alternatives) => alternatives[0]?.transcript ?? "")
    .join("");
}
