import { expect, test, vi } from "vitest";
import { pickItem } from "./pick-item.ts";
import type { Choice } from "./prompts.ts";
import { setupCli } from "./testing/setup-cli.ts";

const { run, requests } = setupCli({});

const picker = {
  label: "Key",
  alternative: "the key's name or id: feather keys list",
  empty: ["there are no keys yet", "feather keys create <name>"],
  toChoice: (name: string): Choice<string> => ({ label: name, value: `key_${name}` }),
} as const;
const pickLast = async <T>(_: string, choices: readonly Choice<T>[]): Promise<T> => {
  const last = choices.at(-1);
  if (last === undefined) throw new Error("there is no choice");
  return last.value;
};

test("a person chooses among all that is listed", async () => {
  const list = async () => ["ci", "bot"];
  expect(await pickItem({ interactive: true, pick: pickLast }, { ...picker, list })).toBe("key_bot");
});

test("nothing is requested where nobody can be asked", async () => {
  const list = vi.fn(async () => ["ci"]);
  const refuse = async (label: string, choices: readonly unknown[], alternative: string): Promise<never> => {
    throw new Error(`${label}, ${choices.length} choices, ${alternative}`);
  };
  await expect(pickItem({ interactive: false, pick: refuse }, { ...picker, list })).rejects.toThrow(
    "Key, 0 choices, the key's name or id: feather keys list",
  );
  expect(list).not.toHaveBeenCalled();
});

test("a list without anything to choose from says what to do", async () => {
  const list = async () => [];
  await expect(pickItem({ interactive: true, pick: pickLast }, { ...picker, list })).rejects.toMatchObject({
    message: "there are no keys yet",
    hint: "feather keys create <name>",
  });
});

test.each([
  ["rm --yes", "the model's id: feather models stored"],
  ["stop --yes", "the model's id: feather ps"],
  ["models pin", "the model's id: feather models stored"],
  ["models unpin", "the model's id: feather models stored"],
  ["models pulls cancel", "the download's id: feather models pulls list"],
  ["models pulls pause", "the download's id: feather models pulls list"],
  ["models pulls resume", "the download's id: feather models pulls list"],
  ["models reviews list", "the model's id: feather models list"],
  ["private-models show", "the model's id: feather private-models list"],
  ["private-models unload", "the model's id: feather private-models list"],
  ["private-models delete --yes", "the model's id: feather private-models list"],
  ["webhooks update --enable", "the endpoint's id: feather webhooks list"],
  ["webhooks rotate --yes", "the endpoint's id: feather webhooks list"],
  ["webhooks test", "the endpoint's id: feather webhooks list"],
  ["webhooks deliveries", "the endpoint's id: feather webhooks list"],
  ["webhooks delete --yes", "the endpoint's id: feather webhooks list"],
  ["usage show", "the request's id: feather usage requests"],
  ["subscription preview", "the plan's id: feather subscription plans"],
  ["subscription change --yes", "the plan's id: feather subscription plans"],
  ["profile use", "the profile's name: feather profile list"],
  ["profile remove --yes", "the profile's name: feather profile list"],
  ["admin backends test", "the backend's id: feather admin backends list"],
  ["admin backends remove --yes", "the backend's id: feather admin backends list"],
  ["admin invitations withdraw --yes", "the invitation's id: feather admin invitations list"],
  ["admin models update --enable", "the model's id: feather admin models list"],
  ["admin models redeploy --yes", "the model's id: feather admin models list"],
  ["admin models delete --yes", "the model's id: feather admin models list"],
  ["admin deployments show", "the deployment's id: feather admin deployments list"],
])("%s without a terminal names what to use, and asks the server nothing", async (line, alternative) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(`there is nobody to ask here: use ${alternative}`);
  expect(requests()).toEqual([]);
});
