export default function ChatPage(): import("react").JSX.Element;
