import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sendRequest, serveModel } from "@feather/engine/testing";

const GUIDE = join(import.meta.dirname, "..");

type Answers = { answers: Record<string, string>; refusals: Record<string, string> };
type Outcome = { group: string; question: string; answer: string; isCorrect: boolean };

const { answers, refusals } = readEvaluation<Answers>("answers.json");
const equivalentIntents = readEvaluation<string[][]>("also.json");

/**
 * Asks the guide questions that are not in its training text, through the real engine at temperature 0. An answer to a
 * question in scope is correct if it equals the answer of the question's intent, or of an equivalent one (also.json). A
 * question out of scope must be answered with one of the refusals.
 */
if (import.meta.main) {
  const model = process.argv[2] ?? join(GUIDE, "guide.gguf");
  await using engine = await serveModel(model, "--model-id", "feather/guide", "--threads", "1");
  for (const [setName, judge] of [
    ["in-scope", isCorrectAnswer],
    ["common", isCorrectAnswer],
    ["development", isCorrectAnswer],
    ["elsewhere", isRefusal],
  ] as const) {
    const outcomes = await askAll(engine.socket, readEvaluation(`${setName}.json`), judge);
    for (const { group, question, answer } of outcomes.filter(({ isCorrect }) => !isCorrect)) {
      console.log(`${group}: ${question}\n    ${answer}`);
    }
    const refused = outcomes.filter(({ isCorrect, answer }) => !isCorrect && isRefusal("", answer)).length;
    console.log(
      `${setName}: ${formatShare(outcomes)} right${refused > 0 ? `; ${refused} of the others are refusals` : ""}.`,
    );
  }
}

async function askAll(
  socket: string,
  questions: Record<string, string[]>,
  judge: (group: string, answer: string) => boolean,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [group, phrasings] of Object.entries(questions)) {
    for (const question of phrasings) {
      const answer = await askQuestion(socket, question);
      outcomes.push({ group, question, answer, isCorrect: judge(group, answer) });
    }
  }
  return outcomes;
}

async function askQuestion(socket: string, question: string): Promise<string> {
  const messages = [{ role: "user", content: question }];
  const { body } = await sendRequest(socket, "/v1/chat/completions", { messages, temperature: 0, max_tokens: 200 });
  return JSON.parse(body).choices[0].message.content;
}

function isCorrectAnswer(intent: string, answer: string): boolean {
  const others = equivalentIntents.filter((group) => group.includes(intent)).flat();
  return [intent, ...others].some((id) => answers[id] === answer);
}

function isRefusal(_group: string, answer: string): boolean {
  return Object.values(refusals).includes(answer);
}

function formatShare(outcomes: readonly Outcome[]): string {
  const isCorrect = outcomes.filter((outcome) => outcome.isCorrect).length;
  return `${isCorrect} of ${outcomes.length} (${((100 * isCorrect) / outcomes.length).toFixed(1)} %)`;
}

function readEvaluation<T>(name: string): T {
  return JSON.parse(readFileSync(join(GUIDE, "evaluation", name), "utf8")) as T;
}
