import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, serveModel } from "../src/testing/engine-process.ts";

const GUIDE = join(import.meta.dirname, "../models/guide");

type Answers = { answers: Record<string, string>; refusals: Record<string, string> };
type Outcome = { group: string; question: string; answer: string; right: boolean };

const { answers, refusals } = read<Answers>("answers.json");
const also = read<string[][]>("also.json");

/**
 * Asks the guide questions that are not in its training text, through the real engine at temperature 0. An answer to a
 * question in scope is correct if it equals the answer of the question's intent, or of an equivalent one (also.json). A
 * question out of scope must be answered with one of the refusals.
 */
if (import.meta.main) {
  const model = process.argv[2] ?? join(GUIDE, "guide.gguf");
  await using engine = await serveModel(model, "--model-id", "feather/guide", "--threads", "1");
  for (const [set, judge] of [
    ["in-scope", isRight],
    ["common", isRight],
    ["development", isRight],
    ["elsewhere", isRefusal],
  ] as const) {
    const outcomes = await askAll(engine.socket, read(`${set}.json`), judge);
    for (const { group, question, answer } of outcomes.filter(({ right }) => !right)) {
      console.log(`${group}: ${question}\n    ${answer}`);
    }
    const refused = outcomes.filter(({ right, answer }) => !right && isRefusal("", answer)).length;
    console.log(`${set}: ${share(outcomes)} right${refused > 0 ? `; ${refused} of the others are refusals` : ""}.`);
  }
}

async function askAll(
  socket: string,
  questions: Record<string, string[]>,
  judge: (group: string, answer: string) => boolean,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [group, wordings] of Object.entries(questions)) {
    for (const question of wordings) {
      const answer = await ask(socket, question);
      outcomes.push({ group, question, answer, right: judge(group, answer) });
    }
  }
  return outcomes;
}

async function ask(socket: string, question: string): Promise<string> {
  const messages = [{ role: "user", content: question }];
  const { body } = await call(socket, "/v1/chat/completions", { messages, temperature: 0, max_tokens: 200 });
  return JSON.parse(body).choices[0].message.content;
}

function isRight(intent: string, answer: string): boolean {
  const others = also.filter((group) => group.includes(intent)).flat();
  return [intent, ...others].some((id) => answers[id] === answer);
}

function isRefusal(_group: string, answer: string): boolean {
  return Object.values(refusals).includes(answer);
}

function share(outcomes: readonly Outcome[]): string {
  const right = outcomes.filter((outcome) => outcome.right).length;
  return `${right} of ${outcomes.length} (${((100 * right) / outcomes.length).toFixed(1)} %)`;
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(GUIDE, "evaluation", name), "utf8")) as T;
}
