import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type DragEvent, type RefObject, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { Sheet } from "#/components/ui/dialogs/sheet.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { useInitialFocus } from "#/lib/browser/use-initial-focus.ts";
import { formatContextLength, formatCount } from "#/lib/format.ts";
import styles from "./chat.module.css";
import { SearchNotice } from "./collections/search-notice.tsx";
import { Composer } from "./composer/composer.tsx";
import { LazyModelPicker } from "./composer/lazy-model-picker.tsx";
import { LongFilesNotice } from "./composer/long-files-notice.tsx";
import { TooLongNotice } from "./composer/too-long-notice.tsx";
import { ComposerChips } from "./composer-chips.tsx";
import { LazyHistoryPane } from "./history/lazy-history-pane.tsx";
import { LazyNameDialog } from "./history/lazy-name-dialog.tsx";
import { useHistoryActions } from "./history/use-history-actions.ts";
import { LazyLibraryPicker } from "./library/lazy-library-picker.tsx";
import { LazyCodeDialog } from "./settings/lazy-code-dialog.tsx";
import { LazySettingsForm } from "./settings/lazy-settings-form.tsx";
import { useSettingsPane } from "./settings/use-settings-pane.ts";
import { LazyShareDialog } from "./sharing/lazy-share-dialog.tsx";
import { SignUpBar } from "./thread/sign-up-bar.tsx";
import { TurnList } from "./thread/turn-list.tsx";
import { Welcome } from "./thread/welcome.tsx";
import { type Chat, useChat } from "./use-chat.ts";
import { useChatShortcuts, useStrayLetters } from "./use-chat-shortcuts.ts";

/** The chat page: history on the left, conversation in the middle, settings on the right. */
export function ChatView() {
  const chat = useChat();
  const { session, id, settings, setSettings, turns, models, draft } = chat;
  const [sheet, setSheet] = useState<"history" | "settings" | null>(null);
  const [isCodeOpen, setCodeOpen] = useState(false);
  const close = () => setSheet(null);
  const actions = useHistoryActions(session, id, close);
  const { isFolded, hide, show } = useSettingsPane(() => setSheet("settings"));
  const isSignedOut = chat.signedOut && session === null;
  useChatShortcuts({ busy: chat.busy, stop: chat.stop, startChat: actions.startChat });
  const historyPane = <LazyHistoryPane session={session} currentId={id} actions={actions} />;
  const settingsForm = (
    <>
      <LazySettingsForm settings={settings} onChange={setSettings} />
      <button
        type="button"
        className="btn full mt-6"
        onClick={() => setCodeOpen(true)}
        disabled={models.ids.length === 0}
      >
        {t`Copy as code`}
      </button>
    </>
  );
  return (
    <div
      className={`${styles.chat} ${styles.withHistory}${isFolded ? ` ${styles.folded}` : ""}${isSignedOut ? ` ${styles.visiting}` : ""}`}
    >
      {isSignedOut ? null : (
        <aside className={`${styles.pane} ${styles.kept}`} aria-label={t`History`}>
          {historyPane}
        </aside>
      )}
      <ConversationPane chat={chat} openHistory={() => setSheet("history")} openSettings={show} />
      {isSignedOut || isFolded ? null : (
        <aside className={`${styles.pane} ${styles.how}`} aria-label={t`Settings`}>
          <div className="row between">
            <h2 className="h4">{t`Settings`}</h2>
            <button type="button" className="plain" onClick={hide}>
              {t`Hide`}
            </button>
          </div>
          {settingsForm}
        </aside>
      )}
      <Sheet open={sheet === "history"} onClose={close} title={t`Chats`} side="start">
        {historyPane}
      </Sheet>
      <Sheet open={sheet === "settings"} onClose={close} title={t`Settings`}>
        {settingsForm}
      </Sheet>
      <LazyCodeDialog
        open={isCodeOpen}
        onClose={() => setCodeOpen(false)}
        turns={turns}
        settings={settings}
        models={models.ids}
        draft={draft.text}
      />
      <LazyNameDialog naming={actions.naming} onClose={actions.stopNaming} submit={actions.saveName} />
      <LazyShareDialog sharing={actions.sharing} onClose={actions.stopSharing} />
    </div>
  );
}

type ConversationPaneProps = { chat: Chat; openHistory(): void; openSettings(): void };

function ConversationPane({ chat, openHistory, openSettings }: ConversationPaneProps) {
  const {
    id,
    conversationState,
    turns,
    editing,
    actions,
    models,
    storageProblem,
    signedOut,
    draft,
    session,
    replacing,
  } = chat;
  const [isDraggedOver, setDraggedOver] = useState(false);
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setDraggedOver(event.type === "dragover");
    if (event.type === "drop" && !chat.isSearching) void draft.attach([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here, and chosen with the button too
    <div
      className={styles.middle}
      data-dragged={isDraggedOver}
      onDragOver={onDrag}
      onDragLeave={onDrag}
      onDrop={onDrag}
    >
      <h1 className="visually-hidden">{t`Chat`}</h1>
      {conversationState.state === "open" ? (
        <p className={styles.printedTitle}>{conversationState.snapshot.conversation.title || t`New chat`}</p>
      ) : null}
      <div className={styles.narrowBar}>
        <button type="button" className={`btn ghost ${styles.forHistory}`} onClick={openHistory}>
          {t`Chats`}
        </button>
        <span className={styles.title}>
          {conversationState.state === "open" ? conversationState.snapshot.conversation.title : t`New chat`}
        </span>
        <button type="button" className="btn ghost for-settings" onClick={openSettings}>
          {t`Settings`}
        </button>
      </div>
      {conversationState.state === "open" && chat.settings.persona !== "" ? (
        <p className={`${styles.column} small muted user-text mt-3`}>{t`Persona: ${chat.settings.persona}`}</p>
      ) : null}
      <ConversationNotices chat={chat} />
      {conversationState.state === "missing" ? (
        <div className={styles.column}>
          <EmptyState
            title={t`This chat is not kept here`}
            action={
              <Link className="btn" to={paths.chat()}>
                {t`New chat`}
              </Link>
            }
          >
            {session?.storage === "server"
              ? t`It was deleted, it is kept in another browser only, or it belongs to somebody else.`
              : t`Chats are kept in the browser they were held in. Save one as a file there, and open the file here.`}
          </EmptyState>
        </div>
      ) : conversationState.state === "loading" && !signedOut ? (
        <div className={`${styles.column} ${styles.pt}`} aria-busy="true">
          <Skeleton height={44} width="60%" />
          <Skeleton height={160} />
        </div>
      ) : actions || conversationState.state === "new" || signedOut ? (
        <TurnList
          conversationId={id}
          turns={actions ? turns : []}
          editing={editing}
          actions={actions}
          emptyState={
            <Welcome
              models={models}
              signedOut={signedOut && !session}
              storage={storageProblem === null ? (session?.storage ?? "browser") : "off"}
            />
          }
        />
      ) : null}
      <StatusAnnouncer chat={chat} />
      {signedOut && !session ? <SignUpBar returnTo={chat.returnTo} /> : <ChatComposer chat={chat} />}
      <LazyModelPicker
        open={replacing !== null}
        title={t`Ask another model`}
        chosenModels={replacing ? [replacing.model] : []}
        onClose={() => chat.setReplacing(null)}
        onChoose={(model) => {
          if (replacing) session?.answering.regenerate(replacing, { model });
          if (replacing) chat.setModels(models.ids.map((one) => (one === replacing.model ? model : one)));
          chat.setReplacing(null);
        }}
      />
    </div>
  );
}

/** Notices about the whole conversation: an expired session, history that cannot be stored. */
function ConversationNotices({
  chat: { storageProblem, isHistoryStored, signedOut, session, returnTo },
}: {
  chat: Chat;
}) {
  return (
    <div className={`${styles.column} ${styles.notes}`} aria-live="polite">
      {signedOut && session ? (
        <p className="notice">
          <Trans>
            Your session has ended. What you wrote is kept.{" "}
            <Link className="link" to={paths.login(returnTo)} {...(!isHistoryStored && { target: "_blank" })}>
              Log in to go on
            </Link>
          </Trans>
        </p>
      ) : null}
      {storageProblem === "denied" ? (
        <p className="notice quiet">
          {t`History is not kept: this browser does not allow it. Save what you need as a file.`}
        </p>
      ) : null}
      {storageProblem === "full" ? (
        <p className="notice quiet">
          {session?.storage === "server"
            ? t`History is not kept any more: this chat, or all of yours together, are as large as they may be here. Begin another, delete some, or save this one as a file.`
            : t`History is not kept any more: the browser's storage is full. Delete chats, or save this one as a file.`}
        </p>
      ) : null}
      {storageProblem === "unreachable" ? (
        <p className="notice quiet">
          {t`The server cannot be reached. What you wrote is in this tab and is sent as soon as it can be: keep it open.`}
        </p>
      ) : null}
      {storageProblem === "refused" ? (
        <p className="notice quiet">
          {t`History is not kept: the server refused it. Your organization may have decided so. Save what you need as a file.`}
        </p>
      ) : null}
    </div>
  );
}

const STATE_ANNOUNCEMENTS = {
  done: t`The answer is complete`,
  stopped: t`The answer was stopped`,
  failed: t`The answer failed`,
  streaming: "",
};

/** Announces changes of state to screen readers; the answer text itself is read on demand. */
function StatusAnnouncer({ chat: { busy, turns, models } }: { chat: Chat }) {
  const state = turns.at(-1)?.lanes[0]?.answer?.state;
  return (
    <p className="visually-hidden" role="status">
      {busy ? t`${models.displayNames} is answering` : state ? STATE_ANNOUNCEMENTS[state] : ""}
    </p>
  );
}

/** Focuses a field when something that had the keyboard focus has ended. */
function useFocusWhenDone(busy: boolean, field: RefObject<HTMLElement | null>): void {
  const wasBusy = useRef(busy);
  useEffect(() => {
    if (wasBusy.current && !busy) field.current?.focus();
    wasBusy.current = busy;
  }, [busy, field]);
}

function ChatComposer({ chat }: { chat: Chat }) {
  const { session, models, draft, sendBlockers, busy, turns, conversationState, usedTokens } = chat;
  const field = useRef<HTMLTextAreaElement>(null);
  useInitialFocus(field);
  useStrayLetters(field);
  useFocusWhenDone(chat.editing !== null, field);
  const [isChoosingPrompt, setChoosingPrompt] = useState(false);
  const ready =
    session !== null &&
    models.ids.length > 0 &&
    (conversationState.state === "new" || conversationState.state === "open");
  const [first] = models.ids;
  return (
    <>
      <Composer
        field={field}
        placeholder={t`Ask ${models.displayNames || (first ?? "")}`}
        text={draft.text}
        setText={draft.setText}
        attachments={draft.attachments}
        attach={(files) => void draft.attach(files)}
        detach={draft.detach}
        files={draft.files}
        problems={sendBlockers}
        notice={
          <>
            {chat.isTooLong ? (
              <TooLongNotice tokens={usedTokens} context={models.contextTokens} cut={chat.cutFiles} />
            ) : null}
            {chat.longFiles.length > 0 ? <LongFilesNotice files={chat.longFiles} cut={chat.cutFiles} /> : null}
            <SearchNotice
              isSearching={chat.isSearching}
              hasFiles={chat.searchesFiles}
              problems={chat.searchProblems}
              failure={chat.searchFailure}
            />
          </>
        }
        acceptsImages={models.acceptImages}
        busy={busy || chat.isSearching}
        isReadOnly={chat.isSearching}
        disabled={!ready || sendBlockers.length > 0 || draft.isReading || chat.isSearching}
        isLoading={!ready}
        send={() => {
          chat.send();
          field.current?.focus();
        }}
        stop={chat.stop}
        editLast={() => chat.setEditing(turns.at(-1)?.question.id ?? null)}
        openPrompts={session === null ? null : () => setChoosingPrompt(true)}
        start={<ComposerChips chat={chat} field={field} openPrompts={() => setChoosingPrompt(true)} />}
        end={
          <>
            {models.notWarm.map(({ id, availability }) => (
              <span key={id} className="small">
                <StateBadge tier={availability.tier} />
              </span>
            ))}
            {usedTokens > 0 ? (
              <span className="small faint num hide-small" title={t`Tokens of context used, about`}>
                <Trans>
                  ~{formatCount(usedTokens)} of {formatContextLength(models.contextTokens)}
                </Trans>
              </span>
            ) : null}
            {models.unitCost > 0 ? (
              <span className={`row small faint ${styles.takes}`}>
                {t`takes`}{" "}
                <Barbs
                  active={models.unitCost}
                  label={plural(models.unitCost, { one: "takes # unit", other: "takes # units" })}
                />
              </span>
            ) : null}
          </>
        }
      />
      {isChoosingPrompt ? (
        <LazyLibraryPicker
          kind="message"
          choose={({ text }) => {
            // The stroke that opened the choice is no part of the message.
            const before = draft.text === "/" ? "" : draft.text;
            draft.setText(before === "" ? text : `${before.trimEnd()}\n\n${text}`);
            setChoosingPrompt(false);
          }}
          close={() => setChoosingPrompt(false)}
        />
      ) : null}
    </>
  );
}
