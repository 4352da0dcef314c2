import { hash } from "node:crypto";

/** Characters of a token, on average. */
const CHARACTERS_PER_TOKEN = 4;
/** Tokens of a block, as vLLM has them by default. */
const BLOCK_TOKENS = 16;
const BLOCK_CHARACTERS = BLOCK_TOKENS * CHARACTERS_PER_TOKEN;

/** The tokens of a prompt, and those that need not be computed. */
export type CachedPrompt = { prompt: number; cached: number };

/**
 * Creates a stand-in for the prefix cache of an engine. As in vLLM, it holds whole blocks of tokens, each known by the whole
 * prompt up to its end, and gives up the block that was used longest ago, the end of a prompt first.
 */
export function createPrefixCache(capacityTokens: number) {
  const blocks = new Set<string>();
  const capacity = Math.floor(capacityTokens / BLOCK_TOKENS);
  return {
    /** Returns how much of a prompt is cached, and caches all of it. */
    use(prompt: string): CachedPrompt {
      const hashes = toHashes(prompt);
      const missing = hashes.findIndex((block) => !blocks.has(block));
      const cachedBlocks = missing === -1 ? hashes.length : missing;
      for (const block of hashes.reverse()) {
        blocks.delete(block);
        blocks.add(block);
      }
      for (const oldest of blocks) {
        if (blocks.size <= capacity) break;
        blocks.delete(oldest);
      }
      const tokens = Math.ceil(prompt.length / CHARACTERS_PER_TOKEN);
      // At least the last token is computed: it gives the first one of the answer.
      return { prompt: tokens, cached: Math.min(cachedBlocks * BLOCK_TOKENS, tokens - 1) };
    },
    clear: () => blocks.clear(),
  };
}

function toHashes(prompt: string): string[] {
  const hashes: string[] = [];
  let before = "";
  for (let end = BLOCK_CHARACTERS; end <= prompt.length; end += BLOCK_CHARACTERS) {
    before = hash("sha1", before + prompt.slice(end - BLOCK_CHARACTERS, end), "base64url");
    hashes.push(before);
  }
  return hashes;
}
