import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { IconButton } from "./button.tsx";
import { Input } from "./field.tsx";

/** What the service takes as a password; it says so itself, too. */
export const PASSWORD_RULE = "10 to 200 characters.";

/** A field for a password, which can be looked at. */
export function PasswordInput(props: Omit<ComponentProps<typeof Input>, "type" | "icon">) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative [&_input]:pr-8">
      <Input {...props} required type={shown ? "text" : "password"} />
      <IconButton
        label={shown ? "Hide the password" : "Show the password"}
        icon={shown ? <EyeOff size={14} /> : <Eye size={14} />}
        className="!absolute top-[23px] right-0"
        onClick={() => setShown(!shown)}
      />
    </div>
  );
}
