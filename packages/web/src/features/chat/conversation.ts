/** Figures of an answer: tokens as the backend counted them, and times in milliseconds as seen here. */
export type AnswerFigures = { tokens: number | null; firstMs: number | null; totalMs: number };

export type Turn =
  | { id: string; role: "user"; text: string }
  | {
      id: string;
      role: "assistant";
      text: string;
      model: string;
      state: "streaming" | "done" | "stopped" | "failed";
      error?: string;
      figures?: AnswerFigures;
    };

export type Conversation = readonly Turn[];

export type ConversationAction =
  | { type: "ask"; id: string; answerId: string; text: string; model: string }
  | { type: "again"; answerId: string; model: string }
  | { type: "delta"; id: string; text: string }
  | { type: "end"; id: string; state: "done" | "stopped" | "failed"; error?: string; figures: AnswerFigures }
  | { type: "clear" };

/** The conversation after an action. `again` throws the last answer away and begins it anew. */
export function conversationReducer(turns: Conversation, action: ConversationAction): Conversation {
  switch (action.type) {
    case "ask":
      return [...turns, { id: action.id, role: "user", text: action.text }, waiting(action.answerId, action.model)];
    case "again":
      return [
        ...turns.slice(0, turns.findLastIndex((turn) => turn.role === "user") + 1),
        waiting(action.answerId, action.model),
      ];
    case "delta":
      return turns.map((turn) => (turn.id === action.id ? { ...turn, text: turn.text + action.text } : turn));
    case "end":
      return turns.map((turn) =>
        turn.id === action.id && turn.role === "assistant"
          ? {
              ...turn,
              state: action.state,
              figures: action.figures,
              ...(action.error !== undefined && { error: action.error }),
            }
          : turn,
      );
    case "clear":
      return [];
  }
}

function waiting(id: string, model: string): Turn {
  return { id, role: "assistant", text: "", model, state: "streaming" };
}

/** What is sent to the model: the system prompt, then every turn that has something in it. */
export function toMessages(
  turns: Conversation,
  system: string,
): { role: "system" | "user" | "assistant"; content: string }[] {
  const said = turns.filter((turn) => turn.text !== "").map((turn) => ({ role: turn.role, content: turn.text }));
  return system.trim() === "" ? said : [{ role: "system", content: system.trim() }, ...said];
}
