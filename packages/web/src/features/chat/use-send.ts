import { useRef } from "react";
import type { ChatSession } from "./answering/chat-session.ts";
import { chosenCollections } from "./collections/chosen-collections.ts";
import type { FoundPassages } from "./collections/find-passages.ts";
import { countFilePassages, isSearched, listSearchedFiles, takeSearchable } from "./collections/long-files.ts";
import { usePassageSearch } from "./collections/use-passage-search.ts";
import type { ChatSettings } from "./conversation/settings.ts";
import type { Turn } from "./conversation/tree.ts";
import type { Attachment, Question } from "./conversation/types.ts";

/** The message that is written, or an edited question. */
type Sending = null | { question: Question; text: string; attachments: readonly Attachment[] };

type Options = {
  session: ChatSession | null;
  conversation: string | null;
  turns: readonly Turn[];
  settings: ChatSettings;
  /** The size of the context of the models, in tokens; null if it is not known. */
  contextTokens: number | null;
  /** The text of the message that is written. */
  draftText: string;
  /** Those of its files that are too long to be sent whole. */
  longFiles: readonly Attachment[];
  /** Sends the message that is written, after a search with what was found. */
  sendDraft(found: FoundPassages | null): void;
};

/** Sends messages and edited questions, after the search of the conversation's collections and long files. */
export function useSend(options: Options) {
  const { session, conversation, turns, settings, contextTokens, draftText, longFiles, sendDraft } = options;
  const { search, problems, run, stop } = usePassageSearch<Sending>(conversation);

  function deliver(sending: Sending, found: FoundPassages | null): void {
    if (sending === null) sendDraft(found);
    else {
      const { question, text, attachments } = sending;
      session?.answering.edit(question, { text, attachments, ...(found && { passages: found.passages }) });
    }
  }

  /** Returns the long files that a message searches: its own, and those of the questions before it. */
  function listFiles(sending: Sending): readonly Attachment[] {
    if (sending === null) return takeSearchable([...listSearchedFiles(turns), ...longFiles]);
    const at = turns.findIndex(({ question }) => question.id === sending.question.id);
    return takeSearchable([...listSearchedFiles(turns.slice(0, at)), ...sending.attachments.filter(isSearched)]);
  }

  function submit(sending: Sending): void {
    const ids = chosenCollections(settings);
    const files = listFiles(sending);
    const question = (sending?.text ?? draftText).trim();
    // Files without a text have nothing to search by.
    if ((ids.length === 0 && files.length === 0) || question === "") {
      stop();
      deliver(sending, null);
      return;
    }
    const searched = { ids, files, filePassages: countFilePassages(contextTokens) };
    void run(sending, { ...searched, question }, (found) => deliver(sending, found));
  }

  // Turns are not rendered again with each change of the message.
  const latest = useRef(submit);
  latest.current = submit;
  const edit = useRef((question: Question, text: string, attachments: readonly Attachment[]) =>
    latest.current({ question, text, attachments }),
  );

  function describeFailure() {
    if (search.state !== "failed") return null;
    const { error, sending } = search;
    return {
      error,
      again: () => submit(sending),
      // Without its passages a long file would be sent whole, and be refused.
      sendWithout:
        sending === null && longFiles.length > 0
          ? null
          : () => {
              stop();
              deliver(sending, null);
            },
      giveUp: stop,
    };
  }

  return {
    send: () => submit(null),
    edit: edit.current,
    isSearching: search.state === "searching",
    /** Whether the message that is written searches long files. */
    searchesFiles: listFiles(null).length > 0,
    searchProblems: problems,
    stopSearch: stop,
    searchFailure: describeFailure(),
  };
}
