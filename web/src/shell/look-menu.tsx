// Light, dark or as the system has it, whether things move, and on a narrow screen whether they sound.
import { Monitor, Moon, Sun, Volume2, Wind } from "lucide-react";
import { motion, soundOn, theme } from "@/core/preferences";
import { useStore } from "@/core/store";
import { Button } from "@/ui/button";
import { Menu, MenuChoices, MenuGap, MenuLabel, MenuSwitch } from "@/ui/menu";

const themes = [
  { value: "light", label: "Day", icon: <Sun aria-hidden="true" /> },
  { value: "dark", label: "Night", icon: <Moon aria-hidden="true" /> },
  { value: "system", label: "As my device", icon: <Monitor aria-hidden="true" /> },
] as const;

export function LookMenu() {
  const chosen = useStore(theme);
  const moves = useStore(motion);
  const sounds = useStore(soundOn);
  return (
    <Menu
      trigger={
        <Button size="icon" aria-label="Light and motion, sound">
          <Sun aria-hidden="true" className="dark:hidden" />
          <Moon aria-hidden="true" className="hidden dark:block" />
        </Button>
      }
    >
      <MenuLabel>Light</MenuLabel>
      <MenuChoices value={chosen} onChange={theme.set} choices={themes} />
      <MenuGap />
      <MenuSwitch
        checked={moves === "reduced"}
        onChange={(less) => motion.set(less ? "reduced" : "full")}
        label="Less motion"
        icon={<Wind aria-hidden="true" />}
      />
      <MenuSwitch
        checked={sounds}
        onChange={soundOn.set}
        label="Sound"
        icon={<Volume2 aria-hidden="true" />}
        className="sm:hidden"
      />
    </Menu>
  );
}
