/** Returns whether a model, by its id or that of an inference profile, is one of Anthropic's. */
export function isClaude(model: string): boolean {
  return /(?:^|[./])anthropic\./.test(model);
}

/** Returns whether a model is one of Amazon's Nova. */
export function isNova(model: string): boolean {
  return /(?:^|[./])amazon\.nova/.test(model);
}

/** Returns whether a model is one of Amazon's Nova that has a field for its effort of reasoning. */
export function isReasoningNova(model: string): boolean {
  return /(?:^|[./])amazon\.nova-2/.test(model);
}
