export default function ApiKeysPage(): import("react").JSX.Element;
