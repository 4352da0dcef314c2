import { Template } from "@huggingface/jinja";

/** The time that a template may take to render one prompt, summed over all renderings that the prompt needs. */
export type RenderLimit = {
  limitMs: number;
  /** Returns milliseconds on a clock that only goes forward. */
  now: () => number;
};

/** The limit for prompts. Templates of real models take a few milliseconds, for long conversations a few hundred. */
export const RENDER_LIMIT: RenderLimit = { limitMs: 5000, now: () => performance.now() };

/** A template has used up its time. */
export class SlowTemplateError extends Error {}

/** A template in the state of rendering one prompt. */
export type PromptRenderer = {
  /** Throws when the template refuses the variables or can't be rendered, and {@link SlowTemplateError}. */
  render(variables: Readonly<Record<string, unknown>>): string;
};

/**
 * Parses a Jinja template; throws if it is none. The returned function begins a prompt: all that is rendered for it shares
 * one time limit, since node-llama-cpp renders a conversation again, in other forms, after a failure.
 */
export function createRenderer(template: string, { limitMs, now }: RenderLimit): () => PromptRenderer {
  const parsed = new Template(template);
  return () => {
    const end = now() + limitMs;
    const isOver = () => now() > end;
    return {
      render(variables) {
        try {
          return parsed.render({ ...variables }, isOver);
        } catch (error) {
          throw isOver() ? new SlowTemplateError(`The model's chat template takes longer than ${limitMs} ms.`) : error;
        }
      },
    };
  };
}
