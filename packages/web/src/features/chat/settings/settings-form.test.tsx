import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { type ChatSettings, DEFAULT_SETTINGS } from "../conversation/settings.ts";
import { SettingsForm } from "./settings-form.tsx";

afterEach(cleanup);

type Seen = { settings: ChatSettings };

function Held({ seen }: { seen: Seen }) {
  const [settings, setSettings] = useState<ChatSettings>(DEFAULT_SETTINGS);
  return (
    <SettingsForm
      settings={settings}
      onChange={(next) => {
        seen.settings = next;
        setSettings(next);
      }}
    />
  );
}

function show(): Seen {
  const seen: Seen = { settings: DEFAULT_SETTINGS };
  render(<Held seen={seen} />);
  return seen;
}

async function type(label: string, text: string): Promise<void> {
  const field = screen.getByLabelText(`${label}, as a number`);
  await userEvent.clear(field);
  await userEvent.type(field, `${text}{Enter}`);
}

test.each([
  ["Temperature", "0.35", { temperature: 0.35 }],
  ["Repetition penalty", "0.9", { repetition_penalty: 0.9 }],
  ["Max tokens", "1", { max_tokens: 1 }],
  ["Max tokens", "500000", { max_tokens: 500_000 }],
])("%s accepts %s as a number", async (label, text, expected) => {
  const seen = show();
  await type(label, text);
  expect(seen.settings).toMatchObject(expected);
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each([
  ["Temperature", "9", "From 0 to 2."],
  ["Top p", "0", "From 0.01 to 1."],
  ["Max tokens", "-5", "From 1 to 1,000,000."],
])("%s rejects %s, shows its range and keeps its value", async (label, text, message) => {
  const seen = show();
  await type(label, text);
  expect(screen.getByRole("alert").textContent).toBe(message);
  expect(seen.settings).toEqual(DEFAULT_SETTINGS);
});
