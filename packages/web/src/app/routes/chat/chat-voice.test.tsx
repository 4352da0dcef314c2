import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import "fake-indexeddb/auto";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { catalogueModel, chatHandlers, completeChatResponse } from "#/testing/chat.ts";
import { bodyOf, maria, renderPage } from "#/testing/page.tsx";
import ChatPage from "./chat.tsx";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const CHAT = catalogueModel("Qwen/Qwen3-32B");
const HEARS = catalogueModel("openai/whisper-large-v3");
const SPEAKS = catalogueModel("hexgrad/Kokoro-82M");

const show = (models = [CHAT], routes: StubHandlers = []) =>
  renderPage(
    <ToastProvider>
      <ChatPage />
    </ToastProvider>,
    "/chat",
    "/chat?model=Qwen%2FQwen3-32B",
    [
      ...routes,
      http.chat.completions.create(() => completeChatResponse("**Feathers** are light.")),
      ...chatHandlers(models),
      http.auth.me(maria),
    ],
  );
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const message = async () => (await screen.findByLabelText("Message")) as HTMLTextAreaElement;

/** A microphone and a recorder as browsers have them; the microphone fails with the name of an error. */
function stubMicrophone(failure?: string) {
  const stopTrack = vi.fn();
  const getUserMedia = async () => {
    if (failure) throw Object.assign(new Error("refused"), { name: failure });
    return { getTracks: () => [{ stop: stopTrack }] };
  };
  class Recorder {
    state = "inactive";
    mimeType = "audio/webm;codecs=opus";
    ondataavailable: ((event: { data: Blob }) => void) | null = null;
    onstop: (() => void) | null = null;
    start(): void {
      this.state = "recording";
    }
    stop(): void {
      this.state = "inactive";
      this.ondataavailable?.({ data: new Blob(["sound"]) });
      this.onstop?.();
    }
  }
  vi.stubGlobal("MediaRecorder", Recorder);
  Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia }, configurable: true });
  return { stopTrack };
}

test("without a model and a browser that hear, there is no button for dictation", async () => {
  stubMicrophone();
  const { requests } = show();
  const looksUp = ({ url }: { url: string }) => url.includes("per_page=100") || url.includes("perPage=100");
  await waitFor(() => expect(requests.some(looksUp)).toBe(true));
  await getAnswer();
  expect(screen.queryByRole("button", { name: "Dictate" })).toBeNull();
});

test("a model writes down what is said, behind what was written, and the microphone is let go", async () => {
  const { stopTrack } = stubMicrophone();
  const forms: unknown[] = [];
  show(
    [CHAT, HEARS],
    [
      http.audio.transcriptions.create(async ({ request }) => {
        forms.push(await request.clone().text());
        return { text: " Hello there. " };
      }),
    ],
  );
  await press("Dictate");
  await userEvent.type(await message(), "Please.");
  await press("Stop listening");
  await waitFor(async () => expect((await message()).value).toBe("Please. Hello there."));
  expect(forms[0]).toContain('filename="dictation.webm"');
  expect(forms[0]).toContain("openai/whisper-large-v3");
  expect(stopTrack).toHaveBeenCalled();
});

test.each([
  ["NotAllowedError", /Allow it in the browser's settings/],
  ["NotFoundError", /No microphone was found/],
  ["NotReadableError", /Another program may use it/],
  ["TypeError", /Nothing can be recorded here/],
])("a microphone that fails with %s is explained", async (failure, words) => {
  stubMicrophone(failure);
  show([CHAT, HEARS]);
  await press("Dictate");
  expect((await screen.findByText(words)).getAttribute("role")).toBe("alert");
  expect(screen.getByRole("button", { name: "Dictate" })).toBeTruthy();
});

test("a model that is gone when it should write down is explained, and what was written stays", async () => {
  stubMicrophone();
  const gone = refuse(404, "model_not_found", "There is no model openai/whisper-large-v3.");
  show([CHAT, HEARS], [http.audio.transcriptions.create(gone)]);
  await userEvent.type(await message(), "Kept.");
  await press("Dictate");
  await press("Stop listening");
  expect((await screen.findByText(/no model openai/)).getAttribute("role")).toBe("alert");
  expect((await message()).value).toBe("Kept.");
});

test("without a model that hears, the browser writes down, and the button says who may receive it", async () => {
  class Recognition {
    onresult: ((event: object) => void) | null = null;
    onend: (() => void) | null = null;
    start(): void {}
    stop(): void {
      this.onresult?.({ resultIndex: 0, results: [[{ transcript: " from the browser " }]] });
      this.onend?.();
    }
    abort(): void {}
  }
  vi.stubGlobal("webkitSpeechRecognition", Recognition);
  show();
  const button = await screen.findByRole("button", { name: "Dictate" });
  expect(button.title).toContain("whose maker may receive what you say");
  await press("Dictate");
  await press("Stop listening");
  await waitFor(async () => expect((await message()).value).toBe("from the browser"));
});

/** Sound as browsers play it: each part ends when the test says so. */
function stubSound() {
  const ends: (() => void)[] = [];
  class Context {
    destination = {};
    decodeAudioData = async () => ({});
    close = async () => {};
    createBufferSource() {
      const source = { buffer: null, onended: () => {}, connect: () => {}, stop: () => {}, start: () => {} };
      ends.push(() => source.onended());
      return source;
    }
  }
  vi.stubGlobal("AudioContext", Context);
  return ends;
}

async function getAnswer(): Promise<void> {
  await userEvent.type(await message(), "Why?{Enter}");
  await screen.findByText("Feathers");
}

test("a model reads an answer aloud, without its marks, until the end", async () => {
  const ends = stubSound();
  const bodies: unknown[] = [];
  const speech = http.audio.speech.create(async ({ request }) => {
    bodies.push(await bodyOf(request));
    return new Response("sound", { headers: { "content-type": "audio/mpeg" } });
  });
  show([CHAT, SPEAKS], [speech]);
  await getAnswer();
  await press("Read aloud");
  await screen.findByRole("button", { name: "Stop reading" });
  await waitFor(() => expect(ends).toHaveLength(1));
  expect(bodies).toEqual([{ model: "hexgrad/Kokoro-82M", input: "Feathers are light." }]);
  ends[0]?.();
  await screen.findByRole("button", { name: "Read aloud" });
});

test("an answer that a model cannot read aloud says why", async () => {
  stubSound();
  show([CHAT, SPEAKS], [http.audio.speech.create(refuse(402, "insufficient_credits", "Credits are used up."))]);
  await getAnswer();
  await press("Read aloud");
  expect(await screen.findByText("The answer cannot be read aloud.")).toBeTruthy();
  await screen.findByRole("button", { name: "Read aloud" });
});

test("without a model that speaks, the browser reads aloud, and can be stopped", async () => {
  const spoken: string[] = [];
  const cancel = vi.fn();
  vi.stubGlobal("speechSynthesis", { cancel, speak: ({ text }: { text: string }) => spoken.push(text) });
  vi.stubGlobal(
    "SpeechSynthesisUtterance",
    class {
      readonly text: string;
      constructor(text: string) {
        this.text = text;
      }
    },
  );
  show();
  await getAnswer();
  await press("Read aloud");
  expect(spoken).toEqual(["Feathers are light."]);
  cancel.mockClear();
  await press("Stop reading");
  expect(cancel).toHaveBeenCalled();
  await screen.findByRole("button", { name: "Read aloud" });
});
