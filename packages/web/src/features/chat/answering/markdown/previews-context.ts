import { createContext } from "react";

/** Whether code can be drawn: in the person's own chats, and not where others show what they chose. */
export const PreviewsContext = createContext(false);
