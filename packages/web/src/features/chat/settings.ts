/** Samplers with the range a person may set them in, and the value that changes nothing. */
export const SAMPLERS = [
  { name: "temperature", label: "Temperature", min: 0, max: 2, step: 0.05, usual: 0.7 },
  { name: "top_p", label: "Top p", min: 0.05, max: 1, step: 0.05, usual: 1 },
  { name: "min_p", label: "Min p", min: 0, max: 1, step: 0.01, usual: 0 },
  { name: "repetition_penalty", label: "Repetition penalty", min: 1, max: 2, step: 0.05, usual: 1 },
  { name: "max_tokens", label: "Max tokens", min: 16, max: 8192, step: 16, usual: 1024 },
] as const;

export type SamplerName = (typeof SAMPLERS)[number]["name"];
export type ChatSettings = { system: string } & Record<SamplerName, number>;

export const USUAL_SETTINGS: ChatSettings = {
  system: "",
  temperature: 0.7,
  top_p: 1,
  min_p: 0,
  repetition_penalty: 1,
  max_tokens: 1024,
};

/** The parameters of a call: what is off is not sent, for backends that do not know it. */
export function toParameters({ temperature, top_p, min_p, repetition_penalty, max_tokens }: ChatSettings) {
  return {
    temperature,
    max_tokens,
    ...(top_p < 1 && { top_p }),
    ...(min_p > 0 && { min_p }),
    ...(repetition_penalty > 1 && { repetition_penalty }),
  };
}
