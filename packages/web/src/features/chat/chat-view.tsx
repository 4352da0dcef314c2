import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type DragEvent, type RefObject, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { Barbs, EmptyState, Skeleton, State } from "#/components/ui/bits.tsx";
import { Sheet } from "#/components/ui/dialog.tsx";
import { paths } from "#/config/paths.ts";
import { context, count } from "#/lib/format.ts";
import { Composer } from "./composer.tsx";
import { CodeDialog, HistoryPane, ModelPicker, RenameDialog } from "./later.tsx";
import { ModelChips } from "./model-chips.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { TurnList } from "./turn-list.tsx";
import { type Chat, useChat } from "./use-chat.ts";
import { useChatKeys } from "./use-chat-keys.ts";
import { useFoldedSettings } from "./use-folded-settings.ts";
import { useHistoryActions } from "./use-history-actions.ts";
import { VisitorBar } from "./visitor-view.tsx";
import { Welcome } from "./welcome.tsx";

/** The chat page: history on the left, conversation in the middle, settings on the right. */
export function ChatView() {
  const chat = useChat();
  const { host, id, settings, setSettings, turns, models, draft } = chat;
  const [sheet, setSheet] = useState<"history" | "settings" | null>(null);
  const [code, setCode] = useState(false);
  const close = () => setSheet(null);
  const actions = useHistoryActions(host, id, close);
  const { folded, fold, unfold } = useFoldedSettings(() => setSheet("settings"));
  const visitor = chat.signedOut && host === null;
  useChatKeys({ busy: chat.busy, stop: chat.stop, begin: actions.begin });
  const history = <HistoryPane host={host} current={id} actions={actions} />;
  const form = (
    <>
      <SettingsForm settings={settings} change={setSettings} />
      <button type="button" className="btn full mt-6" onClick={() => setCode(true)} disabled={models.ids.length === 0}>
        {t`Copy as code`}
      </button>
    </>
  );
  return (
    <div className={`chat with-history${folded ? " folded" : ""}${visitor ? " visiting" : ""}`}>
      {visitor ? null : (
        <aside className="pane kept" aria-label={t`History`}>
          {history}
        </aside>
      )}
      <Middle chat={chat} openHistory={() => setSheet("history")} openSettings={unfold} />
      {visitor || folded ? null : (
        <aside className="pane how" aria-label={t`Settings`}>
          <div className="row between">
            <h2 className="h4">{t`Settings`}</h2>
            <button type="button" className="plain" onClick={fold}>
              {t`Hide`}
            </button>
          </div>
          {form}
        </aside>
      )}
      <Sheet open={sheet === "history"} onClose={close} title={t`Chats`}>
        {history}
      </Sheet>
      <Sheet open={sheet === "settings"} onClose={close} title={t`Settings`}>
        {form}
      </Sheet>
      <CodeDialog
        open={code}
        onClose={() => setCode(false)}
        turns={turns}
        settings={settings}
        models={models.ids}
        draft={draft.text}
      />
      <RenameDialog conversation={actions.renaming} close={actions.stopRenaming} rename={actions.renamed} />
    </div>
  );
}

type MiddleProps = { chat: Chat; openHistory(): void; openSettings(): void };

function Middle({ chat, openHistory, openSettings }: MiddleProps) {
  const { id, opened, turns, editing, actions, models, notKept, signedOut, draft, host, replacing } = chat;
  const [dragged, setDragged] = useState(false);
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setDragged(event.type === "dragover");
    if (event.type === "drop") void draft.attach([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here, and chosen with the button too
    <div className="middle" data-dragged={dragged} onDragOver={onDrag} onDragLeave={onDrag} onDrop={onDrag}>
      <h1 className="visually-hidden">{t`Chat`}</h1>
      <div className="narrow-bar">
        <button type="button" className="btn ghost for-history" onClick={openHistory}>
          {t`Chats`}
        </button>
        <span className="title">{opened.state === "open" ? opened.snapshot.conversation.title : t`New chat`}</span>
        <button type="button" className="btn ghost for-settings" onClick={openSettings}>
          {t`Settings`}
        </button>
      </div>
      <Notes chat={chat} />
      {opened.state === "missing" ? (
        <div className="column">
          <EmptyState
            title={t`This chat is not kept here`}
            action={
              <Link className="btn" to={paths.chat()}>
                {t`New chat`}
              </Link>
            }
          >
            {t`Chats are kept in the browser they were held in. Save one as a file there, and open the file here.`}
          </EmptyState>
        </div>
      ) : opened.state === "loading" && !signedOut ? (
        <div className="column pt" aria-busy="true">
          <Skeleton height={44} width="60%" />
          <Skeleton height={160} />
        </div>
      ) : actions || opened.state === "new" || signedOut ? (
        <TurnList
          of={id}
          turns={actions ? turns : []}
          editing={editing}
          actions={actions}
          empty={<Welcome models={models} signedOut={signedOut && !host} kept={notKept === null} />}
        />
      ) : null}
      <Status chat={chat} />
      {signedOut && !host ? <VisitorBar here={chat.here} /> : <ChatComposer chat={chat} />}
      <ModelPicker
        open={replacing !== null}
        title={t`Ask another model`}
        taken={replacing ? [replacing.model] : []}
        onClose={() => chat.setReplacing(null)}
        choose={(model) => {
          if (replacing) host?.answering.again(replacing, { model });
          if (replacing) chat.setModels(models.ids.map((one) => (one === replacing.model ? model : one)));
          chat.setReplacing(null);
        }}
      />
    </div>
  );
}

/** Notices about the whole conversation: an expired session, history that cannot be stored. */
function Notes({ chat: { notKept, signedOut, host, here } }: { chat: Chat }) {
  return (
    <div className="column notes" aria-live="polite">
      {signedOut && host ? (
        <p className="notice">
          <Trans>
            Your session has ended. What you wrote is kept.{" "}
            <Link className="link" to={paths.login(here)} {...(notKept !== null && { target: "_blank" })}>
              Log in to go on
            </Link>
          </Trans>
        </p>
      ) : null}
      {notKept === "denied" ? (
        <p className="notice quiet">
          {t`History is not kept: this browser does not allow it. Save what you need as a file.`}
        </p>
      ) : null}
      {notKept === "full" ? (
        <p className="notice quiet">
          {t`History is not kept any more: the browser's storage is full. Delete chats, or save this one as a file.`}
        </p>
      ) : null}
    </div>
  );
}

const ENDS = {
  done: t`The answer is complete`,
  stopped: t`The answer was stopped`,
  failed: t`The answer failed`,
  streaming: "",
};

/** Announces changes of state to screen readers; the answer text itself is read on demand. */
function Status({ chat: { busy, turns, models } }: { chat: Chat }) {
  const state = turns.at(-1)?.lanes[0]?.answer?.state;
  return (
    <p className="visually-hidden" role="status">
      {busy ? t`${models.names} is answering` : state ? ENDS[state] : ""}
    </p>
  );
}

/** Focuses a field when something that had the keyboard focus has ended. */
function useFocusAfter(busy: boolean, field: RefObject<HTMLElement | null>): void {
  const was = useRef(busy);
  useEffect(() => {
    if (was.current && !busy) field.current?.focus();
    was.current = busy;
  }, [busy, field]);
}

function ChatComposer({ chat }: { chat: Chat }) {
  const { host, models, draft, blocks, busy, turns, opened, used } = chat;
  const field = useRef<HTMLTextAreaElement>(null);
  useFocusAfter(chat.editing !== null, field);
  const ready = host !== null && models.ids.length > 0 && (opened.state === "new" || opened.state === "open");
  const [first] = models.ids;
  return (
    <Composer
      field={field}
      placeholder={t`Ask ${models.names || (first ?? "")}`}
      text={draft.text}
      setText={draft.setText}
      attachments={draft.attachments}
      attach={(files) => void draft.attach(files)}
      detach={draft.detach}
      notes={[...draft.refused, ...blocks]}
      images={models.images}
      busy={busy}
      disabled={!ready || blocks.length > 0}
      opening={!ready}
      send={() => {
        chat.send();
        field.current?.focus();
      }}
      stop={chat.stop}
      editLast={() => chat.setEditing(turns.at(-1)?.question.id ?? null)}
      start={<ModelChips models={models.ids} setModels={chat.setModels} />}
      end={
        <>
          {models.waiting.map(({ id, availability }) => (
            <span key={id} className="small">
              <State tier={availability.tier} />
            </span>
          ))}
          {used > 0 ? (
            <span className="small dim num hide-small" title={t`Tokens of context used, about`}>
              <Trans>
                ~{count(used)} of {context(models.context)}
              </Trans>
            </span>
          ) : null}
          {models.units > 0 ? (
            <span className="row small dim takes">
              {t`takes`}{" "}
              <Barbs on={models.units} label={plural(models.units, { one: "takes # unit", other: "takes # units" })} />
            </span>
          ) : null}
        </>
      }
    />
  );
}
