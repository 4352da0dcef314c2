import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { Barbs } from "#/components/ui/bits.tsx";
import { Sheet } from "#/components/ui/dialog.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/features/auth/user.ts";
import { modelsQuery } from "#/features/catalogue/queries.ts";
import { Composer } from "#/features/chat/composer.tsx";
import { USUAL_SETTINGS } from "#/features/chat/settings.ts";
import { SettingsForm } from "#/features/chat/settings-form.tsx";
import { TurnView } from "#/features/chat/turns.tsx";
import { useChat } from "#/features/chat/use-chat.ts";

const DEMO = "feather/demo";

export default function ChatPage() {
  const [params, setParams] = useSearchParams();
  const { user, loading } = useUser();
  const [settings, setSettings] = useState(USUAL_SETTINGS);
  const [sheet, setSheet] = useState(false);
  const { data: warm } = useQuery(modelsQuery({ availability: "warm", perPage: 100 }));
  const wanted = params.get("model");
  const first = warm?.items.find((model) => model.id !== DEMO) ?? warm?.items[0];
  const model = wanted ?? first?.id ?? DEMO;
  const known = warm?.items.find((item) => item.id === model);
  const chat = useChat(model, settings);
  const end = useRef<HTMLDivElement>(null);
  const name = model.slice(model.indexOf("/") + 1);

  // Follows the answer as it grows.
  useEffect(() => {
    if (chat.turns.length > 0) end.current?.scrollIntoView({ block: "end" });
  }, [chat.turns]);

  const form = <SettingsForm settings={settings} change={setSettings} />;
  return (
    <div className="chat">
      <div className="middle">
        <h1 className="visually-hidden">Chat</h1>
        <div className="talk" style={{ flex: 1 }}>
          {chat.turns.length === 0 ? (
            <Welcome
              name={name}
              demo={model === DEMO}
              cold={warm !== undefined && known === undefined}
              signedOut={!loading && user === null}
            />
          ) : null}
          {chat.turns.map((turn, index) => (
            <TurnView key={turn.id} turn={turn} last={index === chat.turns.length - 1} again={chat.again} />
          ))}
          <div ref={end} style={{ height: 24 }} />
        </div>
        <p className="visually-hidden" role="status">
          {chat.busy ? `${name} is answering` : chat.turns.length > 0 ? "The answer is complete" : ""}
        </p>
        <Composer
          placeholder={user ? `Ask ${name}` : "Log in to chat"}
          busy={chat.busy}
          disabled={user === null}
          send={chat.ask}
          stop={chat.stop}
          start={
            <span className="row wraps" style={{ gap: 8 }}>
              <label>
                <span className="visually-hidden">Model</span>
                <select
                  className="chip"
                  value={model}
                  onChange={(event) => setParams({ model: event.target.value }, { replace: true })}
                >
                  {known ? null : <option value={model}>{model}</option>}
                  {warm?.items.map((item) => (
                    <option key={item.id} value={item.id}>
                      {item.id}
                    </option>
                  ))}
                </select>
              </label>
              <button type="button" className="chip" onClick={chat.clear} disabled={chat.turns.length === 0}>
                New chat
              </button>
              <button type="button" className="chip filter-button" onClick={() => setSheet(true)}>
                Settings
              </button>
            </span>
          }
          end={
            <span className="row small dim" style={{ gap: 6 }}>
              takes <Barbs on={known?.concurrency_cost ?? 1} of={4} />
            </span>
          }
        />
      </div>
      <aside className="pane" aria-label="Settings">
        {form}
      </aside>
      <Sheet open={sheet} onClose={() => setSheet(false)} title="Settings">
        {form}
      </Sheet>
    </div>
  );
}

function Welcome({ name, demo, cold, signedOut }: { name: string; demo: boolean; cold: boolean; signedOut: boolean }) {
  return (
    <div style={{ paddingTop: "12vh" }}>
      <p className="h2">Talk to {name}</p>
      {demo ? (
        <p className="mid mt-3" style={{ maxWidth: "58ch" }}>
          This is the demonstration model: it runs for real, on this machine, but only knows how to introduce itself.
          Start Ollama, vLLM or llama-server here and its models appear within half a minute, or{" "}
          <Link className="link" to={paths.docs("backends")}>
            add a backend by its address
          </Link>
          .
        </p>
      ) : cold ? (
        <p className="mid mt-3">
          Nothing that runs this model is reachable just now, so it cannot answer. Choose another below.
        </p>
      ) : (
        <p className="mid mt-3">What you write goes to the model and is not kept here.</p>
      )}
      {signedOut ? (
        <p className="row mt-6">
          <Link className="btn primary" to={paths.login(paths.chat())}>
            Log in
          </Link>
          <Link className="btn" to={paths.register(paths.chat())}>
            Sign up
          </Link>
        </p>
      ) : null}
    </div>
  );
}
