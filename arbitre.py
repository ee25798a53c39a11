"""The command line."""
def main() -> int:
    print("arbitre")
    return 0
if __name__ == "__main__":
    main()
