import type { GgufTensor } from "./gguf-writer.ts";

/** A score for a token to come next, in units of the logit (natural logarithm of odds). */
export type Score = { token: number; logit: number };

/**
 * A table of word pairs. Each token is in one state; tokens of the same state have the same successors. `baseline`
 * is each token's score wherever it is not a listed successor.
 */
export type BigramTable = {
  /** For each token, its state: an index into `successors`. */
  states: readonly number[];
  successors: readonly (readonly Score[])[];
  baseline: readonly Score[];
};

/** Dimensions of the transformer: vector width, attention heads, and feed-forward width. */
export type TransformerShape = { width: number; heads: number; feedForward: number };

const HEAD_WIDTH = 64;
const FEED_FORWARD = 32;
/** What a token adds to its vector, by part; the parts are kept small against the state so that it decides. */
const STATE = 1;
const BASELINE = 0.5;
const FINGERPRINT = 0.5;
const MEMORY_GAIN = 0.12;

/**
 * Weights that make a one-layer LLaMA behave as the table says.
 *
 * A token's vector has four parts: a one-hot state, a constant (for the baseline scores), a pseudo-random
 * fingerprint of the token, and a memory. Query and key weights are zero, so attention is a plain average over all
 * tokens so far; it copies the average fingerprint into the memory. The output matrix reads only the state and
 * the constant, so the next word depends on the last one alone; fingerprint and memory make embeddings differ by text.
 */
export function bigramTensors(table: BigramTable): { shape: TransformerShape; tensors: GgufTensor[] } {
  const layout = createLayout(table.successors.length);
  const { width } = layout;
  const matrix = (name: string, rows: number, fill: (data: Float32Array) => void = () => {}): GgufTensor => {
    const data = new Float32Array(width * rows);
    fill(data);
    return { name, dims: [width, rows], data };
  };
  const ones = (name: string): GgufTensor => ({ name, dims: [width], data: new Float32Array(width).fill(1) });
  const tensors = [
    matrix("token_embd.weight", table.states.length, (data) => fillEmbeddings(data, table, layout)),
    ones("output_norm.weight"),
    matrix("output.weight", table.states.length, (data) => fillOutput(data, table, layout)),
    ones("blk.0.attn_norm.weight"),
    matrix("blk.0.attn_q.weight", width),
    matrix("blk.0.attn_k.weight", width),
    matrix("blk.0.attn_v.weight", width, (data) => copyHead(data, width, layout.fingerprintAt, 0, 1)),
    matrix("blk.0.attn_output.weight", width, (data) => copyHead(data, width, 0, layout.memoryAt, MEMORY_GAIN)),
    ones("blk.0.ffn_norm.weight"),
    matrix("blk.0.ffn_gate.weight", FEED_FORWARD),
    matrix("blk.0.ffn_up.weight", FEED_FORWARD),
    { name: "blk.0.ffn_down.weight", dims: [FEED_FORWARD, width], data: new Float32Array(FEED_FORWARD * width) },
  ];
  return { shape: { width, heads: width / HEAD_WIDTH, feedForward: FEED_FORWARD }, tensors };
}

type Layout = { width: number; constantAt: number; fingerprintAt: number; memoryAt: number; normScale: number };

function createLayout(stateCount: number): Layout {
  const constantAt = stateCount;
  const fingerprintAt = constantAt + 1;
  const memoryAt = fingerprintAt + HEAD_WIDTH;
  const width = Math.ceil((memoryAt + HEAD_WIDTH) / HEAD_WIDTH) * HEAD_WIDTH;
  // The final normalization multiplies a vector by sqrt(width) / length; the length without memory is known.
  const length = Math.hypot(STATE, BASELINE, FINGERPRINT);
  return { width, constantAt, fingerprintAt, memoryAt, normScale: Math.sqrt(width) / length };
}

function fillEmbeddings(data: Float32Array, table: BigramTable, layout: Layout): void {
  const magnitude = FINGERPRINT / Math.sqrt(HEAD_WIDTH);
  const nextBit = pseudoRandomBits(1);
  for (const [token, state] of table.states.entries()) {
    const row = token * layout.width;
    data[row + state] = STATE;
    data[row + layout.constantAt] = BASELINE;
    for (let index = 0; index < HEAD_WIDTH; index++) {
      data[row + layout.fingerprintAt + index] = nextBit() ? magnitude : -magnitude;
    }
  }
}

function fillOutput(data: Float32Array, table: BigramTable, layout: Layout): void {
  for (const [state, scores] of table.successors.entries()) {
    for (const { token, logit } of scores) data[token * layout.width + state] = logit / (layout.normScale * STATE);
  }
  for (const { token, logit } of table.baseline) {
    data[token * layout.width + layout.constantAt] = logit / (layout.normScale * BASELINE);
  }
}

/** Makes a square matrix copy one head's worth of the vector from one place to another. */
function copyHead(data: Float32Array, width: number, from: number, to: number, gain: number): void {
  for (let index = 0; index < HEAD_WIDTH; index++) data[(to + index) * width + from + index] = gain;
}

/** A small linear congruential generator: the same bits on every machine. */
function pseudoRandomBits(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 31 === 1;
  };
}
