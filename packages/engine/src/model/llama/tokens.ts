import type { Token } from "node-llama-cpp";

/** node-llama-cpp brands its token ids; ours are plain numbers everywhere else. */
export function asToken(id: number): Token {
  return id as Token;
}
