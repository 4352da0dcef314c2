import type { SentPassage } from "@feather/sdk";
import { useRef } from "react";
import type { ChatSession } from "./answering/chat-session.ts";
import { chosenCollections } from "./collections/chosen-collections.ts";
import { usePassageSearch } from "./collections/use-passage-search.ts";
import type { ChatSettings } from "./conversation/settings.ts";
import type { Attachment, Question } from "./conversation/types.ts";

/** The message that is written, or an edited question. */
type Sending = null | { question: Question; text: string; attachments: readonly Attachment[] };

type Options = {
  session: ChatSession | null;
  conversation: string | null;
  settings: ChatSettings;
  /** The text of the message that is written. */
  draftText: string;
  /** Sends the message that is written. */
  sendDraft(passages?: readonly SentPassage[]): void;
};

/** Sends messages and edited questions, after the search of the conversation's collections. */
export function useSend({ session, conversation, settings, draftText, sendDraft }: Options) {
  const { search, run, stop } = usePassageSearch<Sending>(conversation);

  function deliver(sending: Sending, passages?: readonly SentPassage[]): void {
    if (sending === null) sendDraft(passages);
    else {
      const { question, text, attachments } = sending;
      session?.answering.edit(question, { text, attachments, ...(passages && { passages }) });
    }
  }

  function submit(sending: Sending): void {
    const ids = chosenCollections(settings);
    const question = (sending?.text ?? draftText).trim();
    // Files without a text have nothing to search by.
    if (ids.length === 0 || question === "") deliver(sending);
    else void run(sending, { ids, question }, (passages) => deliver(sending, passages));
  }

  // Turns are not rendered again with each change of the message.
  const latest = useRef(submit);
  latest.current = submit;
  const edit = useRef((question: Question, text: string, attachments: readonly Attachment[]) =>
    latest.current({ question, text, attachments }),
  );

  return {
    send: () => submit(null),
    edit: edit.current,
    isSearching: search.state === "searching",
    stopSearch: stop,
    searchFailure:
      search.state === "failed"
        ? {
            error: search.error,
            again: () => submit(search.sending),
            sendWithout(): void {
              stop();
              deliver(search.sending);
            },
            giveUp: stop,
          }
        : null,
  };
}
