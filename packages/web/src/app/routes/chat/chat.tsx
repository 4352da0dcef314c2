import { ChatView } from "#/features/chat/chat-view.tsx";

/** The chat. */
export default function ChatPage() {
  return <ChatView />;
}
