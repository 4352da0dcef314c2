import { expect, test } from "vitest";
import { readFiles } from "./read-files.ts";

const part = { type: "file", file: { filename: "a.txt", file_data: "data:text/plain;base64,SGVsbG8=" } };

/** Returns whose turn the file of a call took. */
async function turnOf(credential: object, userId: string): Promise<string | undefined> {
  const turns: string[] = [];
  const body = { messages: [{ role: "user", content: [part] }] };
  const call = { actor: { credential, userId }, exchange: { bodyBytes: 100 }, body };
  await readFiles(call as never, { inputModalities: ["text"] } as never, async ({ userId: turn }) => {
    turns.push(turn);
    return { text: "Hello", cut_at: null };
  });
  return turns[0];
}

test("files of a person's calls take the turn of the person", async () => {
  expect(await turnOf({ type: "key", id: "key_1" }, "usr_1")).toBe("usr_1");
});

test("files of a deployment's callers take the turn of the deployment, also where its creator is gone", async () => {
  expect(await turnOf({ type: "deployment", id: "dep_1" }, "")).toBe("dep_1");
  expect(await turnOf({ type: "deployment", id: "dep_1" }, "usr_1")).toBe("dep_1");
});
