import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";
import { toast } from "./toast.tsx";

/** Copy a text and say so. @returns whether it is in the clipboard */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain HTTP from another machine the browser has no clipboard for pages.
    toast(
      "failed",
      "The browser does not let this page use the clipboard. It does over https and on localhost.",
    );
    return false;
  }
}

interface CopyButtonProps {
  text: string | (() => string);
  label?: string;
  className?: string;
}

/** Copies; its icon says that it has. */
export function CopyButton({ text, label = "Copy", className = "" }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      label={copied ? "Copied" : label}
      className={className}
      icon={copied ? <Check size={13} className="text-completed" /> : <Copy size={13} />}
      onClick={async (event) => {
        event.stopPropagation();
        setCopied(await copyText(typeof text === "function" ? text() : text));
      }}
    />
  );
}
