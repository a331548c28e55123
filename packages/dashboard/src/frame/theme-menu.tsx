import { Monitor, Moon, Sun } from "lucide-react";
import { Menu, MenuItem } from "../parts/menu.tsx";
import { chooseTheme, type Theme, useTheme } from "./theme.ts";

const CHOICES: { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: "system", label: "As the system", icon: Monitor },
  { theme: "light", label: "Light", icon: Sun },
  { theme: "dark", label: "Dark", icon: Moon },
];

/** Light, dark, or as the system. */
export function ThemeMenu() {
  const theme = useTheme();
  const current = CHOICES.find((choice) => choice.theme === theme)!;
  return (
    <Menu
      label={`Theme: ${current.label}`}
      trigger={
        <button
          type="button"
          className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
        >
          <current.icon size={15} aria-hidden />
        </button>
      }
    >
      {CHOICES.map(({ theme: each, label, icon: Icon }) => (
        <MenuItem
          key={each}
          icon={<Icon size={14} />}
          checked={each === theme}
          onSelect={() => chooseTheme(each)}
        >
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
