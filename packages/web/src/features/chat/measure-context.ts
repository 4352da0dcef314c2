import { estimateAttachmentTokens, estimateTokens } from "./answering/request.ts";
import { chosenCollections } from "./collections/chosen-collections.ts";
import {
  COLLECTION_PASSAGES,
  chooseLongFiles,
  countFilePassages,
  estimatePassageTokens,
  listSearchedFiles,
} from "./collections/long-files.ts";
import { cutToFit } from "./conversation/attachments.ts";
import type { ChatSettings } from "./conversation/settings.ts";
import type { Turn } from "./conversation/tree.ts";
import type { Attachment } from "./conversation/types.ts";

/** The share of the context that the newest messages may fill, so that the answer has room. */
export const PROMPT_SHARE = 0.6;

type MeasureOptions = {
  /** The message that is written, and what replaces its files by shorter ones. */
  draft: {
    text: string;
    attachments: readonly Attachment[];
    replace(attachments: readonly Attachment[]): void;
  };
  turns: readonly Turn[];
  settings: ChatSettings;
  /** The size of the context of the models, in tokens; null if it is not known. */
  context: number | null;
};

/** Estimates what the message takes of the context, with passages, and of which of its files only passages are sent. */
export function measureContext({ draft, turns, settings, context }: MeasureOptions) {
  const { attachments, text, replace } = draft;
  const sumTokens = (files: readonly Attachment[]) =>
    files.reduce((sum, one) => sum + estimateAttachmentTokens(one), 0);
  const hasText = text.trim() !== "";
  const collectionTokens =
    hasText && chosenCollections(settings).length > 0 ? estimatePassageTokens(COLLECTION_PASSAGES) : 0;
  const filePassageTokens = estimatePassageTokens(countFilePassages(context));
  const isSearchingEarlier = hasText && listSearchedFiles(turns).length > 0;
  const otherTokens =
    countUsedTokens(turns) + estimateTokens(text) + collectionTokens + (isSearchingEarlier ? filePassageTokens : 0);
  const isTooMuch = context !== null && otherTokens + sumTokens(attachments) > context;
  const room = Math.floor((context ?? 0) * PROMPT_SHARE) - otherTokens;
  const roomBesidePassages = room - (isSearchingEarlier ? 0 : filePassageTokens);
  const longIds = isTooMuch ? chooseLongFiles(attachments, roomBesidePassages, estimateAttachmentTokens) : null;
  const longFiles = attachments.filter(({ id }) => longIds?.has(id));
  const whole = attachments.filter(({ id }) => !longIds?.has(id));
  const ownPassageTokens = longFiles.length > 0 && !isSearchingEarlier ? filePassageTokens : 0;
  const usedTokens = otherTokens + ownPassageTokens + sumTokens(whole);
  return {
    usedTokens,
    /** The files of which only passages are sent. */
    longFiles,
    /** Whether the files do not fit into the context, with what goes before them, even so. */
    isTooLong: attachments.length > 0 && context !== null && usedTokens > context,
    /** Cuts the files so that they leave room for an answer; null if there is no room for any of them. */
    cutFiles: room > 0 ? () => replace(cutToFit(attachments, room, estimateAttachmentTokens)) : null,
  };
}

/** Returns the tokens of the conversation as counted for its latest answer. */
function countUsedTokens(turns: readonly Turn[]): number {
  const lastAnswer = turns.at(-1)?.lanes[0]?.answer ?? turns.at(-2)?.lanes[0]?.answer;
  const promptTokens = lastAnswer?.figures?.promptTokens ?? lastAnswer?.receipt?.promptTokens ?? 0;
  return promptTokens + (lastAnswer?.figures?.tokens ?? lastAnswer?.receipt?.tokens ?? 0);
}
