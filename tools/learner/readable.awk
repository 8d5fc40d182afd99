# Text that others wrote, fit for a terminal: what would drive it, and characters that hide or reorder text, become "?". In bytes,
# for the tools run in the C locale: U+0080 to U+009F, U+061C, U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F,
# U+FEFF, U+E0000 to U+E007F.
{
    gsub(/[\001-\010\013-\037\177]|\302[\200-\237]|\330\234|\342\200[\213-\217\250-\256]|\342\201[\240-\257]|\357\273\277|\363\240[\200\201][\200-\277]/, "?")
    print
}
