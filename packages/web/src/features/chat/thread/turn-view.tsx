import { memo } from "react";
import type { AnswerActions } from "../answering/answer-error-notice.tsx";
import { AnswerView } from "../answering/answer-view.tsx";
import type { LiveAnswers } from "../answering/live-answers.ts";
import type { ToolRounds } from "../answering/tool-calls/tool-rounds.ts";
import chatStyles from "../chat.module.css";
import type { Turn } from "../conversation/tree.ts";
import type { Attachment, Question, ToolResult } from "../conversation/types.ts";
import { QuestionView } from "./question-view.tsx";
import styles from "./turn-view.module.css";

/** What the user can do with questions and answers. */
export type TurnActions = {
  live: LiveAnswers;
  toolRounds: ToolRounds;
  answerActions: AnswerActions;
  selectBranch(id: string): void;
  edit(question: Question, text: string, attachments: readonly Attachment[]): void;
  sendToolResults(results: ToolResult[]): void;
  setEditing(id: string | null): void;
};

type Props = { turn: Turn; isLast: boolean; editing: boolean; actions: TurnActions };

/** A question and its answers, side by side if several models were asked. */
export const TurnView = memo(function TurnView({ turn, isLast, editing, actions }: Props) {
  const { question, siblings, lanes, passages } = turn;
  const { live, toolRounds, answerActions, selectBranch, edit, sendToolResults, setEditing } = actions;
  return (
    <div className={styles.turn}>
      <div className={chatStyles.column}>
        <QuestionView
          question={question}
          siblings={siblings}
          editing={editing}
          setEditing={setEditing}
          selectBranch={selectBranch}
          resend={edit}
        />
      </div>
      <div className={lanes.length > 1 ? chatStyles.lanes : chatStyles.column} data-lanes={lanes.length}>
        {lanes.map(({ lane, answer, versions }) =>
          answer ? (
            <AnswerView
              key={lane}
              answer={answer}
              passages={passages}
              versions={versions}
              live={live}
              isLast={isLast}
              remedies={answerActions}
              selectBranch={selectBranch}
              {...(lanes.length === 1 && { sendToolResults, toolRounds })}
            />
          ) : null,
        )}
      </div>
    </div>
  );
});
